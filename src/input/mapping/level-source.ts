import { bunyanLevel, type Level, normalLevel, syslogLevel } from '../log/level.js'
import { nameOf, type Sample } from './sample.js'

/** A field in which loggers write the level of an event. */
export interface LevelSource {
  /** Identifies the source in a checkpoint. */
  readonly name: string
  /** The keys that lead to the level. */
  readonly path: readonly string[]
  /** Returns the level that a value means; undefined when the value is not a level. */
  read(text: string): Level | undefined
  /** Groups of fields; the events have at least one field of each group. */
  readonly marks: readonly (readonly string[])[]
  /** The level of events that lack the field but have the field `with`. */
  readonly absent?: { readonly level: Level; readonly with: string }
}

const MESSAGES = [
  'msg message event text log error body caller logger name output body.stringValue @message @m',
  '@mt MessageTemplate RenderedMessage Message short_message textPayload jsonPayload.message Body',
  // `log_id` is from Sophos' firewalls; `_raw` is Splunk's, `RenderedDescription` is from Azure's Log Analytics, and
  // `display_message` is from Okta's CSV.
  'logName insertId fields.message target displayMessage log_id _raw RenderedDescription display_message',
  'Event Content Description Details',
]
  .flatMap((keys) => keys.split(' '))
  .concat('Operation name')

const NEXTCLOUD_LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error', 'fatal']

const LAGER_LEVELS: readonly Level[] = ['debug', 'info', 'error', 'fatal']

const MONOLOG_LEVELS: Readonly<Record<number, Level>> = {
  100: 'debug',
  200: 'info',
  250: 'notice',
  300: 'warn',
  400: 'error',
  500: 'critical',
  550: 'alert',
  600: 'emergency',
}

/** The levels of Windows events, from 0, which services of Azure write as words or as numbers. */
const WINDOWS_LEVELS: readonly Level[] = ['info', 'critical', 'error', 'warn', 'info', 'debug']

const INSIGHTS_LEVELS: readonly Level[] = ['trace', 'info', 'warn', 'error', 'critical']

/** Keys whose values are words, in the order of preference. */
const KEYS = [
  'level Level severity lvl levelname loglevel log_level @level priority severityText SeverityText',
  'severity_text severityLevel SeverityLevel Severity LEVEL SEVERITY logLevel LogLevel',
  // `_logLevel` is lambda-log's, `error_severity` is from PostgreSQL's jsonlog, `pri` is FortiMail's, `prio` is PowerDNS's,
  // `sev` is Katip's. `EventLevelName` is from Azure's Log Analytics, `EntryType` from Get-EventLog of PowerShell.
  '_logLevel level_name levelName LevelDisplayName error_severity pri prio sev EventLevelName EntryType',
]
  .flatMap((keys) => keys.split(' '))
  .concat('Severity Level', 'Log Level', 'Event Level')

/** The sources in the order of preference: more specific sources come first. */
export const LEVEL_SOURCES: readonly LevelSource[] = [
  numbers('bunyan', ['level'], bunyanLevel, [['time'], ['msg', 'hostname', 'pid']]),
  numbers('gelf', ['level'], syslogLevel, [['version'], ['short_message']]),
  numbers('journald', ['PRIORITY'], syslogLevel, [['__REALTIME_TIMESTAMP', 'MESSAGE']]),
  numbers('nextcloud', ['level'], (level) => NEXTCLOUD_LEVELS[level], [['reqId'], ['remoteAddr']]),
  // Concourse and Cloud Foundry.
  numbers('lager', ['log_level'], (level) => LAGER_LEVELS[level], [['source'], ['message']]),
  numbers('monolog', ['level'], (level) => MONOLOG_LEVELS[level], [['level_name'], ['channel']]),
  numbers('roarr', ['context', 'logLevel'], bunyanLevel, [['message'], ['sequence'], ['version']]),
  numbers('syslog', ['severity'], syslogLevel, [['facility'], ['message', 'msg', 'host']]),
  // The exports of Application Insights.
  numbers('insights', ['severityLevel'], (level) => INSIGHTS_LEVELS[level], [
    ['itemType'],
    ['message'],
  ]),
  numbers('insights traces', ['SeverityLevel'], (level) => INSIGHTS_LEVELS[level], [
    ['AppRoleName'],
    ['Message'],
  ]),
  // Firewalls that write WELF.
  numbers('welf', ['pri'], syslogLevel, [['id'], ['fw']]),
  {
    name: 'azure',
    path: ['level'],
    read: (text) => (/^\d$/.test(text) ? WINDOWS_LEVELS[Number(text)] : normalLevel(text)),
    marks: [['resourceId'], ['operationName'], ['category']],
  },
  {
    name: 'clef',
    path: ['@l'],
    read: normalLevel,
    marks: [['@t'], ['@m', '@mt', '@i']],
    absent: { level: 'info', with: '@t' },
  },
  { name: 'mongodb', path: ['s'], read: normalLevel, marks: [['t.$date'], ['c'], ['msg']] },
  words(['log.level']),
  words(['log', 'level']),
  // The Logstash format of winston.
  words(['@fields', 'level']),
  ...KEYS.map((key) => words([key])),
  // Loguru, Twisted.
  words(['record', 'level', 'name']),
  { ...words(['log_level', 'name']), marks: [['log_time'], ['log_format']] },
  // Elasticsearch's exports.
  { ...words(['_source', 'log', 'level']), marks: [['_index']] },
  { ...words(['_source', 'level']), marks: [['_index']] },
  // Loki: logcli and Grafana.
  { ...words(['labels', 'level']), marks: [['line']] },
  { ...words(['labels', 'detected_level']), marks: [['line']] },
  { ...words(['fields', 'level']), marks: [['line']] },
  { ...words(['fields', 'detected_level']), marks: [['line']] },
  // Datadog's agent and API; its interface.
  { ...words(['status']), marks: [['ddsource', 'ddtags'], ['message']] },
  { ...words(['attributes', 'status']), marks: [['attributes.message']] },
  // The CSV of its interface.
  { ...words(['Status']), marks: [['Host'], ['Service'], ['Message', 'Content']] },
  // macOS: log show --style ndjson.
  { ...words(['messageType']), marks: [['eventMessage']] },
]

/**
 * Returns a source of levels that are words; `http` is a level of winston and npm. Single letters are levels only for programs that
 * are known to write them.
 */
function words(path: readonly string[]): LevelSource {
  const read = (text: string) =>
    text === 'http' ? 'info' : text.length > 1 ? normalLevel(text) : undefined
  return { name: path.join('/'), path, read, marks: [MESSAGES] }
}

function numbers(
  name: string,
  path: readonly string[],
  levelOf: (number: number) => Level | undefined,
  marks: LevelSource['marks'],
): LevelSource {
  const read = (text: string) => (/^\d{1,3}$/.test(text) ? levelOf(Number(text)) : undefined)
  return { name, path, read, marks }
}

/** The share of the values that must be levels. */
const LEAST_SHARE = 0.9
/** The share of the events that must have the field: the events of progress or of requests often have no level. */
const LEAST_PRESENT = 0.1
/** The share of the events that must have the marks. */
const LEAST_MARKED = 0.5

/** A key of a word for the level whose number may be in `level`. */
const NAMES_LEVEL = /^(?:level_?[nN]ame|prio(?:rity)?|severity)$/
const NUMBER = /^\d{1,4}$/

/** Values that mean no level, such as `DEFAULT` of Google Cloud, and those in empty cells of tables. */
const NO_LEVEL = /^(?:default|none|unknown|unspecified|null|n\/a|-|)$/i

/**
 * Returns the source of the levels of events; undefined when no source is known, or when the levels of all events are
 * already normalized, so that the input need not be rewritten.
 */
export function levelSourceOf(sample: Sample): LevelSource | undefined {
  const source = detectedSource(sample)
  return source !== undefined && isNormalized(sample, source) ? undefined : source
}

function isNormalized({ fields }: Sample, { path, read }: LevelSource): boolean {
  const levels = fields.get('level') ?? []
  return nameOf(path) === 'level' && levels.every(({ text }) => read(text) === text)
}

function detectedSource({ events, fields }: Sample): LevelSource | undefined {
  if (events.length === 0) return undefined
  return LEVEL_SOURCES.find(({ path, read, marks, absent }) => {
    const name = nameOf(path)
    const values = fields.get(name) ?? []
    const written = values.filter(({ form }) => form === 'string' || form === 'number')
    if (written.length < values.length) return false
    if (absent === undefined && values.length < events.length * LEAST_PRESENT) return false
    const given = values.filter(({ text }) => !NO_LEVEL.test(text))
    const levels = given.filter(({ text }) => read(text) !== undefined)
    if (levels.length < given.length * LEAST_SHARE || (given.length === 0 && !absent)) return false
    const isOther = ({ text }: { readonly text: string }) =>
      !NAMES_LEVEL.test(name) || !NUMBER.test(text)
    if (name !== 'level' && fields.get('level')?.some(isOther)) return false
    const known = marks.map((group) =>
      group.flatMap((mark) => [mark, mark.replace('.', '/')]).filter((mark) => fields.has(mark)),
    )
    if (known.some((group) => group.length === 0)) return false
    const marked = events.filter((leaves) =>
      known.every((group) => leaves.some(({ path }) => group.includes(nameOf(path)))),
    )
    return marked.length >= events.length * LEAST_MARKED
  })
}
