import type { Level } from '../level.js'
import { lineLevel } from '../line-level.js'
import { type EventStart, isFollowing } from './event-start.js'

// Stack traces each line of which has a header in front of it, such as a time.

/** Returns the position after the header of a line; 0 when there is none. */
export type HeaderEnd = (line: string) => number

/** A frame of a stack trace, or another line that a trace alone has. */
const TRACE_LINE =
  /^(?:[ \t]+(?:at \S|File "|from \S+:\d+:in |\.\.\. \d+ more|\/\S+\.go:\d|[~^]+$|\[Previous line repeated )|Caused by: |Traceback \(most recent call last\):|\.\.\. \d+ more|stack backtrace:$|note: run with `RUST_BACKTRACE|goroutine \d+ \[|\[signal SIG|created by [\w./]+)/
/** Lines that are part of a trace only after another one: the source of a frame of Python, the frames of Rust, a blank line of Go. */
const AFTER: readonly (readonly [before: RegExp, text: RegExp])[] = [
  [/^(?:panic|fatal error): |\[signal SIG/, /^$/],
  [/^ {2}File "/, /^ {4}\S/],
  [/^stack backtrace:$/, /^[ \t]+0: /],
  [/^[ \t]+at \S/, /^[ \t]+[1-9]\d*: /],
]
/** The number of a frame of Rust. */
const FRAME = /^[ \t]+(\d{1,4}): /

const BELOW_WARNING: ReadonlySet<Level | undefined> = new Set<Level>([
  'trace',
  'debug',
  'info',
  'notice',
])

/** Adds the lines of a trace to the event before them if both have the same header. */
export function withTraces(start: EventStart, headerEnd: HeaderEnd): EventStart {
  return {
    ...start,
    isStart: (line, previous, first) => {
      const at = headerEnd(line)
      const continues = continuesTrace(line, previous, at) && !isOwnEvent(line.slice(at), previous)
      return !continues && start.isStart(line, previous, first)
    },
  }
}

/** True for the first line of a trace of Python below a message that is no error. */
function isOwnEvent(text: string, previous: string): boolean {
  return text.startsWith('Traceback (') && BELOW_WARNING.has(lineLevel(previous))
}

/** True when a line continues a trace, with a header that ends at `at`, like the header of the line before. */
export function continuesTrace(line: string, previous: string, at: number): boolean {
  if (at === 0 || !line.startsWith(previous.slice(0, at))) return false
  const text = line.slice(at)
  const before = previous.slice(at)
  const isAfter = AFTER.some((pair) => pair[0].test(before) && pair[1].test(text))
  return isAfter || isNextFrame(text, before) || TRACE_LINE.test(text) || isFollowing(text, before)
}

/** True for frames with consecutive numbers. Equal numbers may be those of a task or of a thread. */
function isNextFrame(text: string, before: string): boolean {
  const [, number] = FRAME.exec(text) ?? []
  return number !== undefined && Number(number) === Number(FRAME.exec(before)?.[1]) + 1
}

/** Returns an event whose later lines have no header. */
export function withoutHeaders(event: string, headerEnd: HeaderEnd): string {
  const at = headerEnd(event)
  return at === 0 ? event : event.replaceAll(`\n${event.slice(0, at)}`, '\n')
}
