import { isAccessLine } from '../recognize.js'
import type { Conversion } from './log-format.js'
import type { EventStart } from './multiline/event-start.js'

/** The beginnings of events in access logs, of which each line is an event. */
const ACCESS_LINES: EventStart = { isStart: isAccessLine }

/** Extends a conversion by the lines of another program, which begin in another way. */
export function withOtherProgram(main: Conversion, other: Conversion): Conversion {
  const { start } = main
  const otherStart = other.format === 'clf' ? ACCESS_LINES : other.start
  if (otherStart === undefined) return main
  const isOther = (line: string, previous: string) =>
    start?.isStart(line, previous) !== true && otherStart.isStart(line, previous)
  return {
    ...main,
    ...(start && {
      start: {
        ...start,
        isStart: (line, previous) =>
          start.isStart(line, previous) || otherStart.isStart(line, previous),
      },
    }),
    read: (record, event) => (isOther(record, '') ? other : main).read(record, event),
  }
}
