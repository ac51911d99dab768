import type { Level } from '../level.js'

/** The first lines of what runtimes write when a program crashes, or of the errors of Terraform. They have no time, whatever the format of the log. */
const CRASHES: readonly (readonly [start: RegExp, level: Level])[] = [
  // Go.
  [/^(?:panic|fatal error): /, 'fatal'],
  // Rust.
  [/^thread '[^'\n]{1,100}' (?:\(\d{1,10}\) )?panicked at /, 'fatal'],
  // Java: a thread ended, perhaps not the program.
  [/^Exception in thread "/, 'error'],
  // Terraform: a box, in UTF-8, around a warning or an error.
  [/^\xe2\x95\xb7\n\xe2\x94\x82 Warning: /, 'warn'],
  [/^\xe2\x95\xb7(?:\n|$)/, 'error'],
  // The sanitizers of Go, GCC and Clang.
  [/^WARNING: (?:DATA RACE$|DATA RACE\n|ThreadSanitizer: )/, 'warn'],
  [/^==\d{1,10}==ERROR: [A-Z]\w{1,40}Sanitizer: /, 'error'],
]
const FIRST_LETTERS = 'pftEW=\xe2'

/** Python: an error that is logged, or that ends the program. */
const TRACEBACK = 'Traceback (most recent call last):'

/** The end of a line of an access log: a request in quotes, its status and size, and perhaps more in quotes. */
const ACCESS_END = /" [1-5]\d\d (?:-|\d{1,12})(?:$| ")/

/** True for a line that does not continue the event before it, because that is a line of an access log. */
export function isAfterAccess(line: string, previous: string): boolean {
  return !/^[ \t]/.test(line) && ACCESS_END.test(previous)
}

/** Returns the level of an event that begins with a stack trace; undefined for other text. */
export function traceLevel(text: string): Level | undefined {
  return text.startsWith(TRACEBACK) ? 'error' : crashLevel(text)
}

/** Returns the level of an event that begins with the report of a crash; undefined for other text. */
export function crashLevel(text: string): Level | undefined {
  if (!FIRST_LETTERS.includes(text.charAt(0))) return undefined
  return CRASHES.find(([start]) => start.test(text))?.[1]
}
