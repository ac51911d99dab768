import type { RecordExtent, RecordFinder } from '../log-format.js'
import { findLine } from '../records.js'
import { EventLines, lineIn } from './event-lines.js'
import type { EventStart } from './event-start.js'

/** Returns the finder of the events that `MultilineScanner` finds, in a text that begins with an event. */
export function eventFinder(start: EventStart): RecordFinder {
  const event = new EventLines(start)
  return (text, at) => {
    event.end()
    const first = findLine(text, at)
    if (add(event, text, first) === 'none') return first
    let last = first
    while (last.next < text.length) {
      const line = findLine(text, last.next)
      const assignment = add(event, text, line)
      if (assignment === 'starts') break
      last = line
      if (assignment === 'none') break
    }
    return { from: first.from, to: contentEnd(text, first.to, last.to), next: last.next }
  }
}

function add(event: EventLines, text: string, { from, next }: RecordExtent) {
  const end = next > from && text[next - 1] === '\n' ? next - 1 : next
  return event.add(lineIn(text, { from, to: end, hasTail: event.needsTails }))
}

/** Returns the end of an event without the blank lines after it. */
function contentEnd(text: string, firstEnd: number, lastEnd: number): number {
  let to = lastEnd
  while (to > firstEnd && (text[to - 1] === '\n' || text[to - 1] === '\r')) to -= 1
  return to
}
