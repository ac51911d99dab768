import { isAccessLine, isSyslogLine } from '../recognize.js'
import { beginsWithLevel } from './line-level.js'
import type { Conversion } from './log-format.js'
import { beginsWithUsualPair } from './logfmt.js'
import { isLtsvLine } from './ltsv.js'
import { isAfterAccess } from './multiline/crash.js'
import { ANY_LINE, beginsWithTime, type EventStart } from './multiline/event-start.js'
import { type LineKind, lineKindOf } from './text-layout.js'

/** The lines that certainly begin an event of a format, although in a log of this format further lines begin events. */
export const STARTS: Readonly<Record<LineKind, (line: string) => boolean>> = {
  clf: isAccessLine,
  logfmt: beginsWithUsualPair,
  ltsv: isLtsvLine,
  syslog: isSyslogLine,
}

/**
 * The beginnings of lines without a date that few other texts have: a level as Uvicorn, Python, .NET, Maven and logrus write
 * it, the routes of Gin, or a clock in front of a level, as in Logback, Serilog, Elixir and Minecraft.
 */
const UNDATED = new RegExp(
  [
    '(?:INFO:     |(?:DEBUG|TRACE|ERROR):    |WARNING:  |CRITICAL: )\\S',
    '(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[A-Za-z_][\\w.]{0,99}:\\S',
    '(?:trce|dbug|info|warn|fail|crit): [\\w.`+]{1,199}\\[\\d{1,9}\\]$',
    '\\[(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL) ?\\] \\S',
    '\\[?\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?\\]? +(?:\\[[^\\]]{1,99}\\] +)?(?:(?:\\[|\\|-)?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\\b|\\[(?:trace|debug|info|warn|error)\\] )',
    '(?:TRAC|DEBU|INFO|WARN|ERRO|FATA|PANI)\\[\\d{4,9}\\] ',
    '\\d\\d:\\d\\d:\\d\\d\\.\\d{3} (?:[\\w.=]{1,99} ){0,4}\\[(?:debug|info|notice|warning|warn|error)\\] ',
    '\\[\\d\\d:\\d\\d:\\d\\d\\] \\[[^\\]]{1,99}/(?:INFO|WARN|ERROR|FATAL)\\]',
    '\\[GIN-debug\\] ',
    'npm (?:ERR!|WARN|error|warn)(?: |$)',
    // The collections of the JVM, and librdkafka.
    '\\[\\d{1,7}\\.\\d{3}s\\]\\[[a-z]{4,7} *\\]\\[',
    '%[0-7]\\|1\\d{9}\\.\\d{3}\\|[A-Z]',
    '\\d\\d:\\d\\d:\\d\\d \\| \\d{3} \\| ',
    // Informix, whose dates are on lines of their own, and RQ.
    '\\d\\d:\\d\\d:\\d\\d {1,2}(?=[A-Z*])',
    '(?:\\[\\d\\d:\\d\\d:\\d\\d|\\d{1,2}:\\d\\d[AP]M) (?:VRB|TRC|DBG|INF|WRN|ERR|FTL|PNC)\\]? ',
    // The requests of uWSGI.
    '\\[pid: \\d{1,9}\\|app: ',
    // The access log of Uvicorn, when Gunicorn runs it.
    '[\\da-fA-F.:]{2,45}:\\d{1,5} - "[A-Z]{3,10} ',
  ].join('|'),
  'y',
)

function beginsWithoutDate(line: string): boolean {
  UNDATED.lastIndex = 0
  return UNDATED.test(line)
}

/** A line of an access log without the zone of its time, as CherryPy and Daphne write it, or without brackets, as PHP-FPM does. */
const OTHER_ACCESS =
  /^[\da-fA-F.:]{2,51} - (?:\S+ \[|\S* )\d\d\/[A-Z][a-z]{2}\/\d{4}[: ]\d\d:\d\d:\d\d(?:\]| [+-]\d{4}) "/

/** True for a line of an access log of any kind. */
export function isRequestLine(line: string): boolean {
  return isAccessLine(line) || OTHER_ACCESS.test(line)
}

/** True when a line begins with a date, or like one of an access log or of logfmt. */
export function beginsDated(line: string): boolean {
  return beginsWithTime(line) || isRequestLine(line) || beginsWithUsualPair(line)
}

/** True when a line begins an event of some program, whatever precedes it. */
export function beginsEvent(line: string): boolean {
  return beginsDated(line) || beginsWithoutDate(line)
}

/** The end of the first line of java.util.logging: a class and a method. The level is on the second line. */
const CALLER_END = / (?:[\w$]{1,60}\.){1,12}[\w$]{1,100} [\w$<>]{1,100}$/

/** Extends a conversion by the lines of another program, which begin in another way. */
export function withOtherProgram(main: Conversion, other: Conversion): Conversion {
  const isMain = certainStart(main)
  const isAnyOther = certainStart(other)
  if (isMain === undefined || isAnyOther === undefined) return main
  const isOther = (line: string, previous: string) =>
    !isMain(line, previous) && isAnyOther(line, previous)
  // After an event in the format of an access log, logfmt or LTSV, lines of neither program are events.
  const loose = [main, other].find(({ format }) => ['clf', 'logfmt', 'ltsv'].includes(format))
  const isRest: EventStart['isStart'] = (line, previous) =>
    loose !== undefined &&
    isOther(previous, '') === (loose === other) &&
    ((loose.start ?? ANY_LINE).isStart(line, previous) || isAfterAccess(line, previous))
  const isCertain = (line: string, previous: string) =>
    isMain(line, previous) ||
    (isAnyOther(line, previous) && !(beginsWithLevel(line) && CALLER_END.test(previous)))
  return {
    ...main,
    ...((main.fields || other.fields) && {
      fields: () => [...new Set([...(main.fields?.() ?? []), ...(other.fields?.() ?? [])])],
    }),
    start: {
      ...main.start,
      isCertain,
      isStart: (line, previous) => isCertain(line, previous) || isRest(line, previous),
    },
    read: (record, event) => (isOther(record, '') ? other : main).read(record, event),
  }
}

function certainStart({ format, start }: Conversion): EventStart['isStart'] | undefined {
  if (start?.isCertain !== undefined) return start.isCertain
  const kind = lineKindOf(format)
  return kind === undefined ? start?.isStart : STARTS[kind]
}
