import { utf8AsLatin1 } from '../text/bytes.js'
import { readCsvRow } from '../wire/csv/csv-row.js'
import type { LogFormat } from './log/log-format.js'
import { LOGFMT_START, normalizedPairs } from './log/logfmt.js'
import { isLtsvLine } from './log/ltsv.js'
import { ANY_LINE, type EventStart } from './log/multiline/event-start.js'
import { JOURNAL_TIME, SYSLOG_MONTH } from './log/time/time-parts.js'
import { CRI } from './log/wrapper/cri.js'
import { isTimeName } from './mapping/time-name.js'

/** The name of a file, which `tail` prints in front of its lines, and a remark of journalctl, with bars in UTF-8 or hyphens. */
const REMARK = /^(?:==> .{1,500} <==\r?$|--(?: [^|]|\r?$)|(?:\xe2\x96\x91){2}(?: |\r?$))/
/** Number of lines examined; the majority decides. */
const SAMPLED_LINES = 32

/**
 * An address, an identity and a user, the time, perhaps a host, and the request. At the beginning, a time, a priority, a level or a
 * bracket that does not belong to an IPv6 address is of another log.
 */
const CLF =
  /^(?!\d{4}-\d\d-\d\d[T ]|<\d|[A-Z][a-z]{2} [ \d]?\d \d\d:|\[(?![\da-fA-F]{0,4}:|httpd\] )|[A-Z]{4,8}:)\S+ \S.* \[(?:\d\d\/(?:[A-Z][a-z]{2}|\d\d)\/\d{4}:|\d{4}-\d\d-\d\d[T ])\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| (?:UTC|GMT)| ?[+-]\d\d:?\d\d)\] (?:(?:localhost|[\w-]+(?:[.:][\w-]+)+) )?"/

/** True for a line of a web server's access log. */
export function isAccessLine(line: string): boolean {
  return CLF.test(line)
}

// `dmesg --raw` has the time since the start after the priority.
const PRIORITY = /^(?:[1-9]\d* )?<\d{1,3}> {0,2}(?!\[ *\d{1,9}\.\d{6}\])[^\s<]/
const LEVEL_WORD =
  '(?:trace|silly|verbose|debug|info|information|notice|note|warn|warning|unusual|err|error|crit|critical|alert|emerg|fatal|severe|fine|finer|finest)'
// The year may follow the clock.
const NOT_HOST = `(?!${LEVEL_WORD}\\b|\\d{4} |\\S{1,100}\\.(?:c|cc|cpp|go|py):\\d)`
/** A host, or as UniFi's devices write it, the model, the address of the card and the version. */
const HOST = `${NOT_HOST}(?:[\\w.%-][\\w.:%-]{0,254}(?<!:)|[\\w-]{1,40},[\\da-f]{12},[\\w.+-]{1,40}:?)`
/** The facility and the severity: FreeBSD's syslogd writes numbers with `-v`, and names with `-vv`. */
const VERBOSE = '<(?:[a-z]\\w{1,9}\\.[a-z]{3,7}|\\d{1,2}\\.[0-7])> {1,2}'
/** A program, followed by its process, a colon or a level. `PROGRAM` also matches the messages of Cisco, Meraki and other devices. */
const TAG = `[^\\s:[\\]]{1,128}(?:\\[[^\\]\\s]{1,32}\\](?:[:(]| <\\w+>:| (?=\\S))|:(?= |$))`
const PROGRAM = `(?!${LEVEL_WORD}:)(?!%)${TAG}|(?:CEF|LEEF): ?\\d|\\d?,\\d{4}/|1 (?:\\d{10}\\.\\d{1,9} [\\w.-]{1,255} [a-z]|\\d{4}-\\d\\d-\\d\\dT)|(?:\\d+: )?[:*.]{0,2} ?(?:[A-Z][a-z]{2} [\\w :.]{5,30}: )?%[A-Z]`
/**
 * Lines of files have a host and a program; some tools omit the host, but not the process id. journalctl writes the name of the month in
 * the language of the user.
 */
const SYSLOG = new RegExp(
  `^${SYSLOG_MONTH} [ \\d]?\\d (?:\\d{4} )?\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?:? {1,2}(?:${VERBOSE}${HOST} |${HOST} (?:${PROGRAM}|last message repeated )|[\\w./@-]{1,128}\\[\\d{1,10}\\][:(]|[\\w.-]{1,128} \\[\\d{1,10}\\]: |(?:\\d{1,3}\\.){3}\\d{1,3} [\\w.-]{1,40}=|kernel: |%[A-Z])`,
  'i',
)
/**
 * The format in which current syslog daemons write files; other logs begin alike, but have a level in place of the host, its letter as
 * Firebase writes it, or a process.
 */
const DATED_SYSLOG = new RegExp(
  `^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d) (?:${VERBOSE})?(?!${LEVEL_WORD}\\b|[DIWEN] |\\d{1,9} )(?:[\\w.:%-]+ (?!${LEVEL_WORD}:)[\\w./@-]+(?:\\[\\d+\\])?: |(?:\\d{1,3}\\.){3}\\d{1,3} [\\w.-]{1,40}=)`,
  'i',
)

/** The output of journalctl with complete times. */
const JOURNAL = new RegExp(`^${JOURNAL_TIME} ${HOST} ${TAG}`)

/** RFC 5424 without the priority. */
const VERSIONED_SYSLOG = /^1 \d{4}-\d\d-\d\dT\S{8,30} \S{1,255} \S{1,128} \S{1,128} \S{1,128} [-[]/

/** True for a line of syslog, as a daemon writes it to a file or sends it. */
export function isSyslogLine(line: string): boolean {
  return [PRIORITY, SYSLOG, DATED_SYSLOG, JOURNAL, VERSIONED_SYSLOG].some((one) => one.test(line))
}

/** A hash in place of the host; it may also be the id of a container, which is the same in many lines. */
const HASH = /^\S+ ([0-9a-f]{7,40}) /
/** A key at the start of a line; records of auditd, whose time is inside a value, are text. */
const LOGFMT = /^(?!(?:node=\S+ )?type=\S+ msg=audit\(|[A-Z]{4,8}:)[^\s="(]+=/
const PAIR = /(?:^|\s)[A-Za-z_@][\w.@/-]*=(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"]*)(?=\s|$)/g

const LOGS: readonly (readonly [format: LogFormat, isLine: (line: string) => boolean])[] = [
  ['cri', (line) => CRI.head(line) !== undefined],
  ['ltsv', isLtsvLine],
  ['clf', isAccessLine],
  ['syslog', isSyslogLine],
  ['logfmt', isLogfmt],
]

/** True for two pairs or more, and few words without a value. */
function isLogfmt(written: string): boolean {
  if (!LOGFMT.test(written)) return false
  const line = normalizedPairs(written)
  const pairs = line.match(PAIR) ?? []
  const others = line.replace(PAIR, ' ').match(/\S+/g) ?? []
  return pairs.length >= 2 && others.length * 4 <= pairs.length
}

/** The second name of that header in the language of the user, and a part of the fourth, the id of the event. */
const EVENT_TIME =
  'Datum und Uhrzeit|Date et heure|Fecha y hora|Data e (?:[oO]|[hH]o)ra|Datum en tijd|Data i godzina|Дата и время|日期和时间|日期和時間|日付と時刻|날짜 및 시간'
const EVENT_ID = '[^,"\\r\\n]*(?:I[Dd]|-id|Ident|Код соб)[^,"\\r\\n]*'

/** The header that Windows' Event Viewer exports, in latin1, which does not name the last column, the messages. */
export const EVENT_VIEWER = new RegExp(
  utf8AsLatin1(
    `^(?:(?:Level|Keywords),Date and Time,Source,Event ID,Task Category|[^,"\\r\\n]+,(?:${EVENT_TIME}),[^,"\\r\\n]+,${EVENT_ID},[^,"\\r\\n]+)(?=\\r?\\n?$)`,
  ),
)

/** A header of columns between tabs that have a width: SharePoint, Helm. It is one of a log; TSV keeps the spaces. */
export const PADDED_HEADER = /^[A-Za-z](?:[^\t]*\t)*?[^\t]* \t(?:[^\t]*\t)*?[^\t]* \t/

/** A header of CSV with a space after each comma, as nvidia-smi writes it. CSV keeps the spaces; a table does not. */
export const SPACED_HEADER = /^[A-Za-z_][^",\r\n]*(?:, [^\s",][^",\r\n]*)+$/

/** A header of columns between bars that have a width: ipmi-sel. */
export const BARRED_HEADER = /^[A-Za-z][^|]* {2}\|(?:[^|]*\|)*?[^|]* {2}\|/

/** The line below the header of a table in Markdown, which may have no bars at its sides. */
export const MARKDOWN_RULE = /^ *\|?(?: *:?-{2,}:? *\|)+(?: *:?-{2,}:?)? *$/

/**
 * Detects the format of lines that are not JSON; undefined while more lines are needed. Log formats take precedence
 * over tables: a comma in every message does not make columns.
 */
export function recognizeLines(
  text: string,
  { isWhole }: { readonly isWhole: boolean },
): LogFormat | 'csv' | 'tsv' | undefined {
  const end = isWhole ? text.length : text.lastIndexOf('\n') + 1
  const all = text
    .slice(0, end)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const others = all.filter((line) => !REMARK.test(line))
  const filled = others.length === 0 ? all : others
  const lines = sampled(filled, ANY_LINE)
  if (lines.length === 0) return undefined
  if (EVENT_VIEWER.test(lines[0]!)) return 'csv'
  if (lines[0]!.startsWith('#') && lines.some((line) => line.startsWith('#Fields:'))) return 'w3c'
  const log = LOGS.find(([format, isLine]) => {
    const some = format === 'logfmt' ? sampled(filled, LOGFMT_START) : lines
    return some.filter(isLine).length * 2 > some.length
  })
  if (log !== undefined && !areCommits(lines)) return log[0]
  // The second line is needed to recognize a header.
  if (lines.length === 1 && !isWhole && mayBeHeader(lines[0]!)) return undefined
  const isPadded = PADDED_HEADER.test(lines[0]!) || BARRED_HEADER.test(lines[0]!)
  if (isPadded || MARKDOWN_RULE.test(lines[1] ?? '')) return 'text'
  if (isTable(text.slice(0, end), '\t')) return 'tsv'
  return [',', ';', '|'].some((delimiter) => isTable(text.slice(0, end), delimiter))
    ? 'csv'
    : 'text'
}

/** Returns the first lines that begin events, or the first lines if none does. */
function sampled(lines: readonly string[], { isStart }: EventStart): readonly string[] {
  const starting = lines.filter((line, at) => isStart(line, lines[at - 1] ?? ''))
  return (starting.length === 0 ? lines : starting)
    .slice(0, SAMPLED_LINES)
    .map((line) => line.trim().slice(0, 4096))
}

/** True for lines of `git log --format='%aI %h %s'` and the like: they look like syslog, but each has a different hash. */
function areCommits(lines: readonly string[]): boolean {
  const hashes = lines.map((line) => HASH.exec(line)?.[1])
  return lines.length > 1 && !hashes.includes(undefined) && new Set(hashes).size === lines.length
}

const SAMPLED_ROWS = 16
const MAX_NAME_LENGTH = 100
const MAX_NAME_WORDS = 8

/** The first characters of a line that is not a header: a digit or a bracket. */
const VALUE = /^\s*[[({<\d]/
/** JSON, a name with its value, or a number as long as an epoch: hardly a part of a name. */
const LIKE_A_VALUE = /^\s*(?:\{|\[["[{\d]|[\w.-]{1,64}(?:=|: )\S)|":|\d{10}/
/** A level at the beginning of a line; a column may have the same name. */
const LEVEL =
  /^\s*(?:trace|debug|info|notice|warn|warning|err|error|severe|crit|critical|fatal)\b\s*[^\s,\t"]/i
/** A program with its process, or a level, in front of a colon. */
const LABEL = /^\s*\w[\w.-]*\[\d+\]:|(?:^|\s)(?:DEBUG|INFO|WARNING|WARN|ERROR|FATAL):\s*$/
const CLOCK = /\d\d:\d\d:\d\d/
/** A clock at the beginning of a line, after a date in one to five words. */
const LEADING_CLOCK = /^[[(]?(?:[\w,./:+-]+ ){0,5}[\w./-]*\d\d:\d\d:\d\d/

/** True when a line begins with a time of a log. */
export function hasLeadingClock(line: string): boolean {
  return LEADING_CLOCK.test(line)
}

/** Text and messages have semicolons and bars more often than as many of them in each line as a table with such delimiters. */
const LEAST_COLUMNS: Readonly<Record<string, number>> = { '\t': 2, ',': 2, ';': 3, '|': 3 }
const LEAST_ROWS = 2

/** True when the text looks like a header followed by rows of as many cells, few of which are the name of their column. */
function isTable(text: string, delimiter: string): boolean {
  const [header, ...rows] = rowsOf(text, delimiter)
  if (header === undefined || !isHeader(header.cells, delimiter)) return false
  const alike = rows.filter(({ cells }) => cells.some((cell, at) => cell === header.cells[at]))
  const repeated = alike.filter(({ cells }) => cells.join() === header.cells.join())
  if ((alike.length - repeated.length) * 2 > rows.length) return false
  const uneven = rows.filter(({ cells }) => cells.length !== header.cells.length)
  const isUsual = LEAST_COLUMNS[delimiter] === 2
  if (!isUsual && (rows.length < LEAST_ROWS || uneven.length > 0)) return false
  if (uneven.some(({ cells }) => cells.length > header.cells.length)) return false
  const areLogLines = rows.filter(({ line }) => hasLeadingClock(line)).length * 2 > rows.length
  // The rows may be lines of a log, all of which are events.
  const isCertain = isUsual || (!areLogLines && haveNumbers(rows)) || header.cells.some(isTimeName)
  if (!isCertain) return false
  return areLogLines ? uneven.length === 0 : uneven.length * 2 <= rows.length
}

/** True when all values of a column are numbers, unlike its name in the header. */
function haveNumbers(rows: readonly SampledRow[]): boolean {
  const isNumber = (cell: string | undefined) => cell !== undefined && /^ *-?\d[\d.,]*$/.test(cell)
  return rows[0]!.cells.some((_, at) => rows.every(({ cells }) => isNumber(cells[at])))
}

/** True for a line that is a header if the lines after it are rows, and for one that ends within a quoted name. */
function mayBeHeader(line: string): boolean {
  const isOpen = count(line, /"/g) % 2 === 1
  return (
    isOpen ||
    Object.keys(LEAST_COLUMNS).some((delimiter) =>
      isHeader(rowsOf(line, delimiter)[0]?.cells ?? [], delimiter),
    )
  )
}

/** True for distinct names that are neither numbers nor parts of a sentence. */
function isHeader(cells: readonly string[], delimiter: string): boolean {
  const line = cells.join(',')
  const isSentence = cells.length < 3 && cells.some((cell) => /^\s/.test(cell))
  return (
    cells.length >= LEAST_COLUMNS[delimiter]! &&
    !isSentence &&
    !VALUE.test(line) &&
    !LEVEL.test(line) &&
    !CLOCK.test(line) &&
    new Set(cells).size === cells.length &&
    // pandas and R write no name for the number of a row.
    cells.every((cell, at) => (at === 0 && cell === '' && cells.length > 2) || isName(cell))
  )
}

function isName(cell: string): boolean {
  return (
    cell.length <= MAX_NAME_LENGTH &&
    !LABEL.test(cell) &&
    /\S/.test(cell) &&
    !/^[\s\d.:+-]+$/.test(cell) &&
    !LIKE_A_VALUE.test(cell) &&
    cell.trim().split(/\s+/).length <= MAX_NAME_WORDS &&
    count(cell, /[[({]/g) === count(cell, /[\])}]/g)
  )
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

interface SampledRow {
  readonly cells: readonly string[]
  /** The beginning of its text. */
  readonly line: string
}

/** Returns the cells of the first rows; of a malformed row, the cells before the error. */
function rowsOf(text: string, delimiter: string): readonly SampledRow[] {
  const rows: SampledRow[] = []
  for (let at = 0; at < text.length && rows.length < SAMPLED_ROWS; ) {
    const row = readCsvRow(text, at, { delimiter, isEnd: true })!
    const cells = row.cells.map((cell = '') => cell)
    if (cells.length > 1 || cells[0]?.trim() !== '') {
      rows.push({ cells, line: text.slice(at, Math.min(row.end, at + MAX_NAME_LENGTH)) })
    }
    at = row.end
  }
  return rows
}
