import type { Level } from '../level.js'

/** The first lines of what runtimes write when a program crashes, or of the errors of Terraform. They have no time, whatever the format of the log. */
const CRASHES: readonly (readonly [start: RegExp, level: Level])[] = [
  // Go.
  [/^(?:panic|fatal error): /, 'fatal'],
  // Rust; Substrate writes the report itself.
  [/^[Tt]hread '[^'\n]{1,100}' (?:\(\d{1,10}\) )?panicked at /, 'fatal'],
  // .NET and Dart, and C++.
  [/^(?:Unhandled [Ee]xception[.:]|terminate called after throwing )/, 'fatal'],
  // PHP to standard error, and Swift.
  [/^PHP (?:Fatal|Parse) error: /, 'fatal'],
  [/^\*\*\* Program crashed: /, 'fatal'],
  // Node.js: the place of the error, its line of source code, and a mark below it.
  [/^(?:\/|node:|file:)\S{1,300}:\d{1,7}\n[^\n]*\n[ \t]*\^/, 'fatal'],
  // Ruby.
  [
    /^\/\S{1,300}:\d{1,7}:in [`'][^'\n]{1,200}': [^\n]{1,1000} \([A-Z][\w:]{1,100}\)(?:\n|$)/,
    'fatal',
  ],
  // Java: a thread ended, perhaps not the program.
  [/^Exception in thread "/, 'error'],
  // Terraform: a box, in UTF-8, around a warning or an error.
  [/^\xe2\x95\xb7\n\xe2\x94\x82 Warning: /, 'warn'],
  [/^\xe2\x95\xb7(?:\n|$)/, 'error'],
  // The sanitizers of Go, GCC and Clang, which draw lines around most reports.
  [/^(?:={18}\n)?WARNING: (?:DATA RACE$|DATA RACE\n|ThreadSanitizer: )/, 'warn'],
  // A failed test of Go, and its package.
  [/^(?:--- FAIL: |FAIL(?:[\t\n]|$))/, 'error'],
  [/^(?:={65}\n)?==\d{1,10}==ERROR: [A-Z]\w{1,40}Sanitizer: /, 'error'],
  // systemd on the console at the start of a machine.
  [/^\[(?:FAILED|DEPEND)\] \S/, 'error'],
  // MySQL.
  [/^\d\d:\d\d:\d\d UTC - \S{1,100} got (?:signal \d|exception 0x)/, 'fatal'],
]
const FIRST_LETTERS = 'pftnPTUEFW=-[*/\xe2'
/** The text after the clock, with which MySQL begins the report. */
const AFTER_CLOCK = ' UTC - '

/** The line in front of a sanitizer's report, and at its end. */
const REPORT_LINE = /^={18}(?:={47})?$/
const REPORT_END = /^(?: |SUMMARY: )/

/** The verbose messages of Asterisk on its console, after a space. */
export const ASTERISK_VERBOSE =
  ' {1,3}(?:-- (?:Executing \\[|Called [A-Z]|<[A-Z]|Auto fallthrough|(?:Unr|R)egistered |Goto \\(|[A-Z][A-Za-z]{2,8}/\\S)|== [A-Z])'

/**
 * Lines without a time that begin an event: the messages of Apache at its start, the lines of `go test` around the log of a test,
 * the name of a file that `tail` prints, the arrows of Vagrant and Nomad, the units that systemd starts with the machine, the notes
 * of `journalctl` and logcat, the result of a task of Proxmox, the steps and the result of a build of Jenkins, the stages of a container
 * that s6 starts, commands after the prompt of a shell, and verbose messages of Asterisk.
 */
const UNDATED = new RegExp(
  String.raw`^(?: ${ASTERISK_VERBOSE}|AH\d{5}: |\[ {2}OK {2}\] \S|=== (?:RUN|PAUSE|CONT|NAME) |--- (?:PASS|FAIL|SKIP|BENCH): |(?:PASS|FAIL)$|(?:ok {2}|FAIL)\t|==> \S|TASK (?:OK$|ERROR: )|-- (?:Boot [0-9a-f]{32}|Reboot) --$|-{9} (?:beginning of|switch to) \w{1,20}$|\[Pipeline\] \S|Finished: [A-Z]{7,8}$|\[(?:s6-(?:init|finish)|cont-(?:init|finish)\.d|fix-attrs\.d|services\.d)\] |[\w.-]{1,40}@[\w.-]{1,60}:[^\n$#]{1,200}[$#] \S|\[[\w.-]{1,40}@[\w.-]{1,60} [^\]\n]{1,100}\][$#] \S|PS [A-Z]:\\[^>\n]{0,200}> ?\S)`,
)

/** The first line of a trace, or a message with a time, after the rank that PyTorch writes in front of lines. */
const RANKED = /^\[rank\d{1,5}\]:(?: Traceback \(|\[[IWEF]\d)/

/** A message of a shell script. The search for its end saves time in the lines of traces. */
const SCRIPT = /^[\w./-]{1,200}\.(?:env)?sh: \S/
const SCRIPT_END = 'sh: '

/** True for a line without a time that begins an event, whatever the format. */
export function beginsUndated(line: string, previous: string): boolean {
  // The separator of ausearch.
  if (line === '----') return previous.startsWith('type=') || previous.startsWith('node=')
  if (REPORT_LINE.test(line)) return !REPORT_END.test(previous)
  if (line.startsWith('[rank')) return RANKED.test(line)
  // A dictionary that Python prints between lines of a log, such as the metrics of a step of training.
  if (line.startsWith("{'")) return line.endsWith('}') && !previous.endsWith(':')
  return UNDATED.test(line) || (line.includes(SCRIPT_END) && SCRIPT.test(line))
}

/** The first line of an exception of Java, .NET or Node.js, with its class; `Exception` and `Error` alone may be words of a message. */
const EXCEPTION =
  /^(?:(?:[A-Za-z_$][\w$]{0,64}[.:]){0,16}[A-Z]\w{0,64}|(?:[A-Za-z_$][\w$]{0,64}\.){1,16})(?:Error|Exception)(?:: |$)/

/** True for the first line of an exception, which does not look like a continuation. */
export function beginsException(line: string): boolean {
  return EXCEPTION.test(line)
}

/** Python: an error that is logged, or that ends the program. */
const TRACEBACK = 'Traceback (most recent call last):'

/** The end of an access log line: a request in quotes, its status, and perhaps its size and more in quotes; or a request of Gin. */
const ACCESS_END = /" [1-5]\d\d(?:$| (?:-|\d{1,12})(?:$| "))|^\[GIN\] .*"$/
/** Text that belongs to a request, such as the errors that Gin writes below it. */
const OF_REQUEST = /^(?:[ \t]|Error #\d)/

/** True for a line that does not continue the event before it, because that is a line of an access log. */
export function isAfterAccess(line: string, previous: string): boolean {
  return !OF_REQUEST.test(line) && ACCESS_END.test(previous)
}

/** The last line of an error that PowerShell prints. */
const POWERSHELL_END = '\n    + FullyQualifiedErrorId : '

/** A frame below an exception of Java, .NET or Node.js. */
const EXCEPTION_FRAME = /\n[ \t]{1,12}at \S/

/** Returns the level of an event that begins with a stack trace; undefined for other text. */
export function traceLevel(text: string): Level | undefined {
  if (text.startsWith(TRACEBACK)) return 'error'
  if (text.startsWith('[rank') && text.startsWith(TRACEBACK, text.indexOf(' ') + 1)) return 'error'
  const end = text.indexOf('\n')
  if (end !== -1 && beginsException(text.slice(0, end)) && EXCEPTION_FRAME.test(text))
    return 'error'
  if (end !== -1 && text.includes(POWERSHELL_END, end)) return 'error'
  return crashLevel(text)
}

/** Returns the level of text with an error of Python, which need not be at its beginning; undefined for other text. */
export function tracebackLevel(text: string): Level | undefined {
  // Below a line of hyphens, reports of unittest explain the failure in front of it, which is the error.
  return text.includes(`${TRACEBACK}\n`) && !text.startsWith('--') ? 'error' : undefined
}

/** True for the first line of an event that is a stack trace or the report of a crash. */
export function isTrace(line: string): boolean {
  return beginsException(line) || traceLevel(line) !== undefined
}

/** The end of a sentence or of a step, such as `creating subdirectories ... ok`. */
const STATEMENT_END = /(?:[.!]|\.\.\. \S{1,40}|\xe2\x80\xa6)$/
/** The beginning of a sentence, unlike a key and its value. */
const STATEMENT_START = /^(?![A-Z]\w{0,40}: )[A-Za-z]/
/** The name of a program or a component in front of a message. */
const SPEAKER = /^(?:\[[\w.-]{2,40}\]|[\w./-]{2,100}:) (?=\S)/

/** True for a sentence after a complete one or a blank line, or with the same name in front of it as the line before it. */
export function beginsStatement(line: string, previous: string): boolean {
  const ended = previous === '' ? line : previous
  if (STATEMENT_START.test(line) && STATEMENT_END.test(ended)) return true
  const [name] = SPEAKER.exec(line) ?? []
  return name !== undefined && previous.startsWith(name)
}

/** Returns the level of an event that begins with the report of a crash; undefined for other text. */
export function crashLevel(text: string): Level | undefined {
  if (!FIRST_LETTERS.includes(text.charAt(0)) && !text.startsWith(AFTER_CLOCK, 8)) return undefined
  return CRASHES.find(([start]) => start.test(text))?.[1]
}
