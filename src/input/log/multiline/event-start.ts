import { CARET } from '../../../text/bytes.js'
import { ASTERISK_VERBOSE } from './crash.js'

/** Decides whether a line begins a new event. */
export interface EventStart {
  /**
   * `line` is in latin1, without its line end, and cut after `MAX_START` characters. `previous` is the line before it,
   * which belongs to an event; `first` is the first line of that event.
   */
  isStart(line: string, previous: string, first?: string): boolean
  /** True for a line that begins an event even in a log of several programs; by default, that is `isStart`. */
  isCertain?(line: string, previous: string): boolean
  /** True for a line that belongs to no event. */
  isComment?(line: string): boolean
  /** True for a line that begins no event, although it may belong to one. */
  isSeparator?(line: string): boolean
  /** True when the next line continues this one, given its first and its last `MAX_START` characters. */
  isPartial?(head: string, tail: string): boolean
}

/** An event is recognized by its first characters. */
export const MAX_START = 1024

/**
 * The beginnings of events that may have spaces in front of them: a level of consola, log4r, Sails and adze, a level
 * and the seconds of apex/log, the uptime of tracing, an event of log4j 2 in XML, a request of koa-logger and Next.js, and the
 * signs of Next.js, in UTF-8; the level after the time that Rich does not repeat; a level and a tag of logcat; a task of
 * ftrace; a task of Ant or Phing, whose output begins in the same column; a clock before ten, as Arma and DayZ write it; and a test of
 * CTest and Meson.
 */
const INDENTED =
  ' ?(?:(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)(?: {1,2}\\S|\\[\\d{4}\\] )|(?:Trace|Debug|Info|Success|Warn|Error|Alert) {4,7}\\S| {0,2}\\d{1,6}\\.\\d{9}s {1,2}[A-Z]|(?:info|warn): \\S|<Event xmlns=|(?:<--|-->|xxx) [A-Z]{3,7} /| {0,8}\\d{1,9} [\\w.-]{1,60} +(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) +\\S|[A-Z]{3,7} /\\S* \\d{3} in \\d| {7,28}(?:DEBUG {4}|INFO {5}|WARNING {2}|ERROR {4}|CRITICAL )\\S|[VDIWEF]/[\\w.-]{1,60}(?:\\( {0,6}\\d{1,7}\\))?: | {0,15}[^\\s][^\\n]{0,15}?-\\d{1,7} {1,8}(?:\\([ \\d-]{1,8}\\) {1,4})?\\[\\d{3}\\] | {0,8}\\[[\\w:.-]{1,9}\\] (?<=^.{12})|\\d:\\d\\d:\\d\\d \\S| {0,4}\\d{1,5}/\\d{1,5} (?:Test +#\\d|\\S+:\\S+ / )| {4,5}Start {1,4}\\d{1,5}: )|\\xe2[\\x97-\\xa8][\\x80-\\xbf] \\S'

/**
 * Lines that continue an event in any format: indented lines, the lines of stack traces that are not indented (Java,
 * Python, Go, Ruby, Rust, .NET, PHP, Elixir, Lua, OCaml, Julia), and closing tags and declarations of XML.
 */
const CONTINUATION = new RegExp(
  [
    `[ \\t](?!${ASTERISK_VERBOSE}|${INDENTED})`,
    'at (?:[\\w.$]+\\(|async |Object\\.|new |<)',
    // Node.js, whose indentation some loggers remove.
    'at [^\\n]{1,200}:\\d{1,7}:\\d{1,7}\\)?$',
    'Caused by: ',
    'Suppressed: ',
    '\\.\\.\\. \\d+ (?:more|common frames omitted)',
    'Caller\\+\\d+\\t',
    'Traceback \\(most recent call last\\)',
    'During handling of the above exception',
    'The above exception was the direct cause',
    'goroutine \\d+ \\[',
    '\\[signal SIG',
    'created by [\\w./]+',
    'Stack ?trace:$',
    'in expression starting at \\S',
    // The caller of a query, after an arrow in UTF-8.
    '\\xe2\\x86\\xb3 ',
    // A message of a program that uses GLib begins with the name and the process of the program.
    '\\*\\* \\((?![\\w./-]{1,60}:\\d+\\): )',
    'stack (?:backtrace|traceback):',
    '(?:Raised (?:at|by)|Re-raised at|Called from) (?:unknown location|[\\w.]{1,200} in file ")',
    "[^\\s:]{1,200}:\\d{1,6}:in [`'][^'\\n]{1,200}'$",
    'Tasks: TOP => ',
    '\\(See full trace by running task',
    'note: (?:Some details are omitted, )?run with `RUST_BACKTRACE',
    // The last alternative excludes lines of BuildKit, `#5 0.812 Get:1`, which are not frames.
    '#\\d+ (?:\\S+\\(\\d+\\): |\\[internal function|\\{main\\}|0x|\\d(?!\\d*\\.\\d))',
    // Dart.
    '#\\d+ {2,6}\\S[^\\n]{0,400} \\((?:package|dart|file):',
    '<asynchronous suspension>$',
    '\\[(?:stacktrace|previous exception)\\]',
    '"[}\\])]? ?$',
    '--- End of ',
    '[})\\]]+[;,]?$',
    '(?:/|</[A-Za-z][\\w:.-]{0,60})>$',
    // The end of a trace or a warning of Node.js, and the mark under a line of its source.
    'Node\\.js v\\d+\\.\\d+\\.\\d+$',
    '\\(Use `node --trace-',
    '\\^+$',
    // Unity: the place of a message.
    '\\(Filename: ',
    // Its frames: a class, a method and the types of its arguments.
    '(?!(?:[A-Z]+|Trace|Debug|Info|Notice|Warn|Warning|Error|Fatal):)[A-Z][\\w.+/<>`]{1,200}:[\\w.<>|]{1,200} ?\\((?:[A-Za-z][\\w.,&<>`\\[\\] ]{0,300})?\\)(?: \\(at [^\\n]{1,300}\\))?$',
    // Mono and Unity, without `at` in front of a frame.
    '\\(wrapper [a-z-]{3,40}\\) \\S',
    '[A-Z][\\w.+/<>`:|]{1,300} \\([^\\n]{0,300}\\) (?:\\[0x[\\da-f]{1,8}\\] in |\\(at )<[\\da-f]{32}>:\\d+',
    '<\\?xml |<!DOCTYPE ',
    // The frames of Python after the rank that PyTorch writes in front of lines.
    '\\[rank\\d{1,5}\\]:(?: {2}|$)',
    // PowerShell: the place of an error and the mark below its line.
    '(?:At|In) [^\\n]{1,300}:\\d{1,7} (?:char|Zeichen):\\d{1,5}$',
    '\\+ +~+ *$',
  ].join('|'),
  'y',
)

/** True when a line continues the event before it, whatever the format. */
export function isContinuation(line: string): boolean {
  CONTINUATION.lastIndex = 0
  return CONTINUATION.test(line)
}

/**
 * Text in front of a date: brackets, a level or a name (`[GIN] `), Ruby's letter, Redis's or another process, the prefix of a
 * logger of Go.
 */
const BEFORE_DATE =
  '(?:[A-Z], )?[[(<"\']{0,2}(?:[A-Za-z][\\w./-]{0,40}\\]?:? ?(?=\\d{4}/\\d\\d/\\d\\d \\d)|[A-Z]{1,8}[\\]:]? +(?:\\[[^\\]]{1,64}\\] +)?|\\d{1,7}:[A-Z] |\\[\\d{1,7}\\] \\[?)?'
const MONTH_DAY = '(?:[A-Z][a-z]{2} [ \\d]?\\d|\\d{1,2} [A-Z][a-z]{2})'
const DATES = [
  '\\d[\\d/.-]{3,12}(?:[T _:/]| - )',
  `(?:[A-Z][a-z]{2},? )?${MONTH_DAY}(?: \\d{4})?,? `,
  '\\d{1,2}[/-][A-Z][a-z]{2}[/-]\\d{2,4}[ :]',
]
/**
 * A date and a clock at the beginning of a line; klog's date follows its level, HDFS writes digits only, Nagios an epoch, Unreal Engine
 * points, NestJS its process in front.
 */
const DATED = new RegExp(
  `^(?:${BEFORE_DATE}(?:${DATES.join('|')})\\d\\d:\\d\\d:\\d\\d|[IWEF](?:20\\d\\d)?[01]\\d[0-3]\\d \\d\\d:\\d\\d:\\d\\d\\.|\\d{6} \\d{6} \\d{1,7} [A-Z]{4,5} |\\[1\\d{9}\\] |\\[20\\d\\d(?:\\.\\d\\d){2}-(?:\\d\\d[.:]){3}\\d{3}\\]|\\[Nest\\] \\d{1,7} +- \\d)`,
)

/** True when a line begins with a date and a clock. */
export function beginsWithTime(line: string): boolean {
  return DATED.test(line)
}

const GO_CALL = /^[\w./*()[\]%-]+\(.*\)$/
/** The source line of a call of Go, whose tab a terminal or a web page has made spaces. */
const GO_PLACE = /^ {4,8}\/\S+\.go:\d/

/** Lines of stack traces that are recognized by the previous line, by its first character, which few other lines have. */
const FOLLOWING: Readonly<Record<string, readonly [previous: RegExp, line: RegExp]>> = {
  // Python: the error after the source of its last frame. Tcl: the source of a frame. rustc: the first line of source code.
  ' ': [
    /^(?: {4}(?!at )| {2}(?:File "|\[Previous line )| +\|$)/,
    /^(?:(?:[a-z_]\w*\.)+(?:[A-Z]\w*|\w*error|timeout)|\w+(?:Error|_error|Exception|Exit|Interrupt|Iteration|Warning))(?:: |$)|^"[a-z]|^\d{1,6} +\| |^Last message(?: \(from [^)]{1,60}\))?: /,
  ],
  // A sanitizer: the report after the line above it.
  '=': [/^={18}(?:={47})?$/, /^(?:WARNING: (?:DATA RACE$|ThreadSanitizer: )|==\d+==ERROR: )/],
  // Go: a call, after a goroutine or the source line of the previous call.
  g: [/^goroutine \d+ \[/, GO_CALL],
  '\t': [/^\s+\S+:\d+/, GO_CALL],
  // R: the message of a warning.
  W: [/^Warning message:$/, /^\S/],
  // Rake: the message of the error.
  r: [/^rake aborted!$/, /^\S/],
  // Terraform, Julia: the lines and the end of a box in UTF-8. Rows of tables have more than one bar.
  '\xe2': [
    /^\xe2(?:\x95\xb7$|\x94\x8c (?:Debug|Info|Warning|Error): |\x94\x82(?!.*\xe2\x94\x82))/,
    /^\xe2(?:\x94[\x82\x94]|\x95\xb5)/,
  ],
  // The slow log of MySQL, in which not all events begin with their time.
  '#': [/^# [A-Z][\w@]{0,40}: /, /^# (?!Time: )[A-Z][\w@]{0,40}: /],
  // Rust: the message, after the place of the panic. ausearch: the first record, after the time.
  t: [/^(?:thread '[^']*' (?:\(\d+\) )?panicked at \S+:\d+:\d+:|time->.{24})$/, /^\S/],
  // Elixir: the last message and the state of a process, below the reason of its end.
  '*': [/^\*\* \(/, /^Last message(?: \(from [^)]{1,60}\))?: /],
  L: [/^Last message(?: \(from [^)]{1,60}\))?: /, /^State: /],
  // Dart: the message.
  U: [/^Unhandled exception:$/, /^\S/],
  // Python, after the rank that PyTorch writes in front of lines.
  '[': [/^\[rank\d{1,5}\]: {4}/, /^\[rank\d{1,5}\]: [A-Za-z_][\w.]{0,200}(?:: |$)/],
  // PowerShell: the line with the error, below its place.
  A: [/^At .+:\d+ char:\d+$/, /^\+ /],
  I: [/^In .+:\d+ Zeichen:\d+$/, /^\+ /],
  // PHP: the first frame.
  S: [/^Stack trace:$/, /^#0 /],
  // Node.js: the line of source code after its place.
  n: [/^node:\S+:\d+$/, /^\S/],
  f: [/^file:\/\S+:\d+$/, /^\S/],
  '/': [/^\/\S+\.[cm]?[jt]sx?:\d+$/, /^\S/],
}

/** The error that Node.js writes after a mark. */
const MARKED_ERROR = /^(?:Uncaught:?$|\w*(?:Error|Exception|Rejection)(?: \[\w+\])?(?:: |$))/

/** True for a line that decides about the next one even after a blank line: a mark, and the beginning of a JSON object. */
export function outlastsBlank(line: string): boolean {
  return isMark(line) || /^\s*\{\s*"/.test(line)
}

/** True for a mark under a line of source code. */
function isMark(line: string): boolean {
  return line.charCodeAt(line.length - 1) === CARET && /^[ \t]*\^+$/.test(line)
}

/** True when a line continues a stack trace whose last line is `previous`. */
export function isFollowing(line: string, previous: string): boolean {
  const first = previous.charAt(0)
  const rule = FOLLOWING[first === ' ' && GO_PLACE.test(previous) ? '\t' : first]
  if (rule?.[0].test(previous) && rule[1].test(line)) return true
  if (isMark(previous)) return MARKED_ERROR.test(line)
  if (line[0] !== '#') return false
  const [, number] = FRAME.exec(line) ?? []
  return number !== undefined && FRAME.exec(previous)?.[1] === String(Number(number) - 1)
}

/** A numbered frame of PHP or GDB, which names a function. In the output of BuildKit, the number identifies a step. */
const FRAME = /^#(\d{1,4}) (?!\[(?!internal function))(?=.*(?:\w\(|\{main\}|\) (?:at|from) ))/

/** An event begins with each line that is not known to continue an event. */
export const ANY_LINE: EventStart = {
  isStart: (line, previous) => !isContinuation(line) && !isFollowing(line, previous),
}

/** An event begins with each line that contains a match. */
export function containing({ source, flags }: RegExp): EventStart {
  const scan = new RegExp(source, flags.replace(/[gy]/g, ''))
  return { isStart: (line) => scan.test(line) }
}
