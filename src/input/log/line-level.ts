import { type Level, normalLevel } from './level.js'
import { tracebackLevel, traceLevel } from './multiline/crash.js'
import { beginsWithTime } from './multiline/event-start.js'

/** The level is searched in this many characters of a line. */
const MAX_HEAD = 200
const LEVEL =
  /(?:^|[\s[(<|:",*-])(TRACE|TRC|VERBOSE|DEBUG|DBG|INFO|INF|NOTICE|WARN|WRN|WARNING|ERROR|ERR|SEVERE|CRITICAL|ALERT|FATAL|FTL|PANIC)(?=[\s\])>:|",*-]|$)/
/** A level in front of everything, as in `info: [iOS] Mar 20 10:00:00 ready`: levels in the text are of other programs. */
const LEADING_WORD = /^(trace|debug|verbose|info|notice|warn|warning|error|critical|fatal): /
const FINE = /(?:^|\s)(FINE(?:R|ST)?)(?=:)/
const MARKED =
  /[[(<|](trace|debug|info(?:rmation(?:al)?)?|notice|warn|warning|err|error|severe|crit|critical|alert|emerg|fatal|panic|trc|dbg|inf|ntc|wrn|ftl)[\])>|]/i

/** Levels with which lines begin also in a log whose other lines have times. */
const LEADING: readonly string[] = [
  // ESPHome, Alembic and other programs on a console, perhaps after a clock; their logger may be in brackets.
  String.raw`(?:[[(]\d\d:\d\d:\d\d[\])] )?(DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)(?:: | {1,2}- | (?=[A-Z]|[a-z]\w{0,40}\.[a-z_])| {1,2}(?=\[[a-z]\w{0,40}(?:\.[a-z_]|\] (?!\d))))`,
  // The scripts that start containers of Bitnami, perhaps after a name and a clock. The message may be empty.
  String.raw`(?:[a-z][\w-]{0,40} \d\d:\d\d:\d\d\.\d\d )?(DEBUG|INFO|WARN|ERROR) {1,2}(?===>)`,
  // s6, which starts the programs of containers.
  '(?:s6-[a-z-]{1,20}|cont-(?:init|finish)|services-up): (info|warning|fatal): ',
  // Programs that use GLib, to standard error, perhaps with a clock after the level.
  String.raw`\([\w./-]{1,60}:\d{1,8}\): [\w./-]{1,60}-(CRITICAL|WARNING|ERROR|DEBUG|INFO|Message)(?: \*\*)?: `,
  // PHP to standard error, and the warnings of Node.js about the program.
  'PHP (Warning|Notice|Deprecated): {1,2}',
  String.raw`\(node:\d{1,8}\) (?:\[[A-Z\d]{1,20}\] )?[A-Z]?\w{0,60}?(Warning): `,
  // The client library of Avahi, in programs for Bonjour.
  String.raw`\*\*\* (WARNING) \*\*\* `,
  // nginx before it has a log.
  String.raw`[\w.-]{1,40}: \[(emerg|alert|crit|error|warning|warn|notice|info|debug)\] `,
]
// The reports of race detectors are several lines.
const LEADS = new RegExp(
  String.raw`^(?:${LEADING.join('|')}|\[(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\] )(?!DATA RACE|ThreadSanitizer)(?=\S)`,
)

/** True for a line without a time that is an event of its own among lines with times, because it begins with a level. */
export function beginsWithLevel(line: string): boolean {
  return LEADS.test(line)
}

/** A message of C#, perhaps after the number of a project. It takes longer than all other beginnings in lines without `CSHARP_END`. */
const CSHARP = String.raw`(?:\d{1,4}>)?[^\s()][^()\n]{0,200}\(\d{1,7}(?:,\d{1,7}){0,3}\): (?:fatal )?(error|warning) [A-Z]{1,6}\d{1,6}: `
const CSHARP_END = '): '

/**
 * The beginnings of a line of plain text, or of a message in a syslog file, that have its level. A beginning without a word for a
 * level is that of an error.
 */
const BEGINNINGS: readonly string[] = [
  // In capitals in front of a colon or a gap, or in brackets: also after the client of Pure-FTPd, the seconds of coturn, or a name.
  String.raw`(?:\([^\s()]{1,100}@[^\s()]{1,100}\) |\d{1,9}: (?::|\(\d{1,9}\):) |[a-z][\w.-]{0,30}:|\[ {0,24}[\w:.-]{1,40}\] (?=\[)| {0,2})(?:\[ {0,2})?(TRACE|DEBUG|INFO|NOTE(?=:)|NOTICE|WARN|WARNING|ERROR|SEVERE|CRITICAL|ALERT|FATAL|PANIC|FAIL)(?: {0,2}\]|:| {2}| - )`,
  // In capitals in front of a clock or a date.
  String.raw`(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL) \[?(?:\d\d:\d\d:\d\d|\d{2,4}[-/]\d\d[ -/])`,
  // As compilers, shell scripts and Spack write it, perhaps after a place in a source file or the name of the script.
  String.raw`(?:(?:[^\s:]{1,200}:(?:(?:\d{1,7}:){0,2}|\d{1,7}:\d{1,5} -)|\[(?:[\w .-]{1,40}(?: : [\w.-]{1,40})?| {1,20}script:[\w.-]{1,60})\]|==>) )?(?:fatal |SCRIPT )?([Ff]atal|[Ee]rror|[Ww]arn(?:ing)?|info|panic|ERROR|WARNING|CRITICAL)(?:\[\w{1,20}\]| TS\d{1,6}| \(\d{1,7}\))?:(?: |\n|$)`,
  CSHARP,
  // Of Kotlin, and the warnings of Python.
  String.raw`([ewi]): (?:file:\/\/|\/|[A-Z]:\\)\S`,
  String.raw`(?:[A-Z]:)?(?:<frozen )?[^\s:]{1,200}:\d{1,7}: [A-Z]\w{0,40}(Warning): `,
  String.raw`(Info|Critical(?= Warning))(?: Warning)? \(\d{1,7}\): `,
  // Simulators: ModelSim and UVM, whose transcripts may have a hash sign; Xcelium; VCS; Verilator.
  String.raw`(?:# )?\*\* (Fatal|Error|Warning|Note)(?: \([\w-]{1,40}\))?: `,
  String.raw`(?:# )?UVM_(FATAL|ERROR|WARNING|INFO) (?:\S{1,200}\(\d{1,7}\) )?@ \d`,
  String.raw`[a-z]{2,20}: \*([FEWN]),[A-Z]`,
  String.raw`(Error|Warning)-\[[A-Z][\w-]{0,40}\] `,
  String.raw`%(Error|Warning)(?:-[A-Z\d_]{1,40})?: `,
  // Failed tests of CTest and Meson.
  String.raw` {0,4}\d{1,5}\/\d{1,5} [^\n]{1,200}?(?:\*{3}(Fail)ed| {2}(FAIL|ERROR))\b`,
  // GoogleTest, cargo test, Gradle, PHPUnit and dotnet test.
  String.raw`(?:\[ {2}|test result: |test [\w:]{1,200} \.\.\. |BUILD )(FAIL)(?:ED|URE)\b`,
  '(FAIL)URE(?:: Build failed|S!)',
  '(Fail)ed! {2}- ',
  // pytest, Jest and Vitest, and the protocol TAP, unless the failure is expected.
  String.raw`(?:(FAIL)ED|(ERROR)) [^\s:]{1,200}\.py(?:::| |$)`,
  String.raw` ?(FAIL) {1,2}[^\s:]{1,200}\.[cm]?[jt]sx?(?: |$)`,
  String.raw`not ok(?= \d| - |\n|$)(?![^\n]{0,200} # ?(?:TODO|todo|SKIP|skip)\b)`,
  // TeX, and R.
  String.raw`(?:! )?(?:(?:pdf|La)TeX|LaTeX Font|(?:Package|Class) [\w-]{1,40}) ([Ee]rror|[Ww]arning|Info):? `,
  String.raw`(Error) in [\w.:$@]{1,80}\([^\n]{0,200}\) :(?: |\n|$)`,
  // OpenFOAM.
  '--> FOAM (FATAL|Warning) ',
  // MATLAB.
  String.raw`(Error) using {1,2}[\w.*/+^-]`,
  '(Warning) messages?:(?: |\\n|$)',
  ...LEADING,
  // OpenOCD.
  String.raw`(Debug|Info|Warn)(?: :|:(?= \d{1,9} \d{1,9} \w{1,60}\.c:\d)) `,
  // A line of logfmt.
  String.raw`(?:time|ts)="?\d[^\s"]{9,40}"? level=([a-z]{4,8}) `,
  // Steps of BuildKit; make and SCons.
  String.raw`#\d{1,4} (?:\d{1,6}\.\d{1,3} )?(ERROR|WARN|WARNING): `,
  String.raw`(?:g?make(?:\[\d{1,3}\])?: )?\*\*\* \[[^\]\n]{1,300}\] (Error) \d`,
  // The status of Logback.
  String.raw`\d\d:\d\d:\d\d,\d{3} \|-(ERROR|WARN|INFO) in `,
  // Godot, after hours, minutes, seconds and a fraction.
  String.raw`([EW]) \d{1,4}:\d\d:\d\d[:.]\d{3,6} {1,4}`,
  // A letter in a bracket of its own: PipeWire.
  String.raw`\[([TDIWEF])\](?=\[)`,
  // The server of llama.cpp, after minutes, seconds, milliseconds and microseconds.
  String.raw`\d{1,4}\.\d\d\.\d{3}\.\d{3} ([DIWE]) `,
  // Radarr on a console, Janus, and Gazebo.
  String.raw`\[(Trace|Debug|Info|Warn|Error|Fatal|Dbg|Wrn|Err|DBG|INF|WRN|ERR|FTL)\] (?=[\w[])`,
  String.raw`<([iwe])> \[`,
  '(trace|debug|info|warn|error|fatal) (?:---|<--|-->) ',
  // npm; Yarn and Gatsby.
  'npm (ERR|WARN|error|warn)[! ]',
  String.raw`(success|info|warn|warning|error|verbose) (?=["/@]|[A-Z][a-z]|[\w./-]{0,60}\.json: )`,
  // Motion, htslib and the programs on it, Wine, FFmpeg with `-loglevel level+…`, and Factorio.
  String.raw`\[[\w:-]{1,30}\] \[(ALR|CRT|ERR|WRN|NTC|INF|DBG)\] `,
  String.raw`\[([EWID])::\w`,
  String.raw`(?:\d{1,7}\.\d{3}:)?(?:[\da-f]{4}:){0,2}(err|warn|trace):[a-z]\w{0,40}:\w`,
  String.raw`\[[^\]\s]{1,60} @ (?:0x)?[\da-f]{6,16}\] \[(trace|debug|verbose|info|warning|error|fatal|panic)\] `,
  String.raw` {0,7}\d{1,7}\.\d{3} (Verbose|Info|Warning|Error) \w{1,60}\.[ch](?:c|pp)?:\d`,
  // The channel and the level of Monolog's handler for syslog.
  String.raw`[\w-]{1,40}\.(DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY): `,
  // RPCS3, after a middle dot in UTF-8.
  String.raw`\xc2\xb7([TWEF]) \d{1,3}:\d\d:\d\d\.\d{6} `,
  // Unbound.
  String.raw`\[\d{1,9}:[\da-f]{1,3}\] (fatal|error|warning|notice|info|debug)(?: error)?: `,
  // Riverbed and Silver Peak.
  String.raw`\[[\w/-]{1,60}\.(EMERG|ALERT|CRIT|ERR|WARN|WARNING|NOTICE|INFO|DEBUG)\]`,
  // XAPI.
  String.raw`\[ {0,2}(debug|info|warn|error|critical)\|`,
  String.raw`Event\|\d{1,7}\|LOG_([A-Z]+)\|`,
  // Commands of Azure Pipelines and GitHub Actions, which have levels also without the times of their logs.
  String.raw`(?:##\[|::)(error|warning|notice|debug)(?:\]|(?: [^:\n]{1,200})?::)`,
  // webpack, and ROOT.
  String.raw`(ERROR|WARNING) in (?=\.{0,2}\/|\w{1,60}\.)`,
  String.raw`(Info|Warning|Error|Fatal) in (?=<\w)`,
  String.raw`CMake (?:Deprecation )?(Error|Warning)(?: \(dev\))?(?: at |:)`,
  // In a column of adze, or after a sign in UTF-8.
  String.raw` ?(Trace|Debug|Info|Success|Warn|Error|Alert) {4,7}(?<=^ ?.{11})\S`,
  String.raw`[\x80-\xff]{2,6} {1,2}(trace|debug|info|success|note|notice|warn|warning|error|fatal|alert)(?: {2,40}\S| \[| [\w.\x80-\xff-]{1,60} {2,40}\S)`,
]
const FIRST = new RegExp(`^(?:${BEGINNINGS.join('|')})`)
const FIRST_OTHER = new RegExp(`^(?:${BEGINNINGS.filter((one) => one !== CSHARP).join('|')})`)

/** Returns the level with which a line of plain text begins; undefined when there is none. */
function firstLevel(line: string): Level | undefined {
  const found = (line.includes(CSHARP_END) ? FIRST : FIRST_OTHER).exec(line)
  return found === null ? undefined : normalLevel(found.slice(1).find((word) => word) ?? 'error')
}

/** Returns the level of a message without a known format: a stack trace, or a line that begins with a level or with a time of its own. */
export function messageLevel(text: string): Level | undefined {
  const level = traceLevel(text) ?? firstLevel(text) ?? tracebackLevel(text)
  // Few messages begin with a digit or a bracket.
  const mayBeTimed = level === undefined && /^\[?\d/.test(text)
  return mayBeTimed && beginsWithTime(text) ? lineLevel(text) : level
}

/** Returns the level that the beginning of a line names, in capitals or in brackets; undefined when there is none. */
export function lineLevel(line: string): Level | undefined {
  const head = line.slice(0, MAX_HEAD)
  const [, word] =
    LEADING_WORD.exec(head) ?? LEVEL.exec(head) ?? MARKED.exec(head) ?? FINE.exec(head) ?? []
  return word === undefined ? undefined : normalLevel(word)
}
