import { type EventStart, isFollowing } from '../multiline/event-start.js'

/** The end of a header of syslog with a process; a header is at least as long as a time. */
const HEADER_END = ']: '
const MIN_HEADER = 16

/** A frame of a stack trace, or another line that a trace alone has; each is a message of its own in syslog. */
const TRACE_LINE =
  /^(?:[ \t]+(?:at \S|File "|from \S+:\d+:in |\.\.\. \d+ more)|Caused by: |Traceback \(most recent call last\):|\.\.\. \d+ more)/
/** A frame of Python, and its source. */
const FILE = /^ {2}File "/
const SOURCE = /^ {4}\S/

/** Returns the position of the message after a header with a process; less than `MIN_HEADER` when there is none. */
function messageAt(line: string): number {
  return line.indexOf(HEADER_END, MIN_HEADER) + HEADER_END.length
}

/** Adds the lines of a trace to the event before them if the process wrote both in the same second. */
export function withTraces(start: EventStart): EventStart {
  return {
    ...start,
    isStart: (line, previous, first) =>
      !continuesTrace(line, previous) && start.isStart(line, previous, first),
  }
}

function continuesTrace(line: string, previous: string): boolean {
  const at = messageAt(line)
  if (at < MIN_HEADER || !line.startsWith(previous.slice(0, at))) return false
  const text = line.slice(at)
  const before = previous.slice(at)
  return (
    TRACE_LINE.test(text) || isFollowing(text, before) || (FILE.test(before) && SOURCE.test(text))
  )
}

/** Returns an event whose later lines have no header. */
export function withoutHeaders(event: string): string {
  const at = messageAt(event)
  return at < MIN_HEADER ? event : event.replaceAll(`\n${event.slice(0, at)}`, '\n')
}
