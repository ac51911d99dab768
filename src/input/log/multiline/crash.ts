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
]
const FIRST_LETTERS = 'pftE\xe2'

/** Returns the level of an event that begins with the report of a crash; undefined for other text. */
export function crashLevel(text: string): Level | undefined {
  if (!FIRST_LETTERS.includes(text.charAt(0))) return undefined
  return CRASHES.find(([start]) => start.test(text))?.[1]
}
