import { isAccessLine, isSyslogLine } from '../recognize.js'
import type { Conversion } from './log-format.js'
import { beginsWithUsualPair } from './logfmt.js'
import { ANY_LINE, beginsWithTime, type EventStart } from './multiline/event-start.js'
import type { LineKind } from './text-layout.js'

/** The lines that certainly begin an event of a format, although in a log of this format further lines begin events. */
export const STARTS: Readonly<Record<LineKind, (line: string) => boolean>> = {
  clf: isAccessLine,
  logfmt: beginsWithUsualPair,
  syslog: isSyslogLine,
}

/** True when a line begins an event of some program, whatever precedes it. */
export function beginsEvent(line: string): boolean {
  return beginsWithTime(line) || isAccessLine(line) || beginsWithUsualPair(line)
}

/** Extends a conversion by the lines of another program, which begin in another way. */
export function withOtherProgram(main: Conversion, other: Conversion): Conversion {
  const isMain = certainStart(main)
  const isAnyOther = certainStart(other)
  if (isMain === undefined || isAnyOther === undefined) return main
  const isOther = (line: string, previous: string) =>
    !isMain(line, previous) && isAnyOther(line, previous)
  // In access logs and logfmt, lines of neither program are events, except after the first line of the other program.
  const isStray: EventStart['isStart'] = (line, previous) =>
    !isOther(previous, '') && (main.start ?? ANY_LINE).isStart(line, previous)
  const isRest = main.format === 'clf' || main.format === 'logfmt' ? isStray : () => false
  const isCertain = (line: string, previous: string) =>
    isMain(line, previous) || isAnyOther(line, previous)
  const { find: _, ...rest } = main
  return {
    ...rest,
    start: {
      ...main.start,
      isCertain,
      isStart: (line, previous) => isCertain(line, previous) || isRest(line, previous),
    },
    read: (record, event) => (isOther(record, '') ? other : main).read(record, event),
  }
}

function certainStart({ format, start }: Conversion): EventStart['isStart'] | undefined {
  if (start?.isCertain !== undefined) return start.isCertain
  if (format === 'clf' || format === 'logfmt' || format === 'syslog') return STARTS[format]
  return start?.isStart
}
