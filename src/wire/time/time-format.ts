import { ownValue } from '../../text/own-value.js'
import { compileLayout } from './go-layout.js'
import type { TimePattern } from './time-pattern.js'

export interface TimeFormat {
  /** The format as the client wrote it. */
  readonly text: string
  /** A layout, or the power of ten that converts numbers to nanoseconds. */
  readonly reads: TimePattern | number
}

export function timeFormatError(text: string): string {
  return `${JSON.stringify(text)}, which has no year. Write the time \`Mon Jan 2 15:04:05 2006 -0700\` as the events would, for example \`2006-01-02 15:04:05\`, or use one of \`unix\`, \`unixms\`, \`unixus\` and \`unixns\`.`
}

/** Layouts and units by name; the names of layouts are Go's. */
const NAMED: Readonly<Record<string, string | number>> = {
  ansic: 'Mon Jan _2 15:04:05 2006',
  unixdate: 'Mon Jan _2 15:04:05 MST 2006',
  rubydate: 'Mon Jan 02 15:04:05 -0700 2006',
  rfc822: '02 Jan 06 15:04 MST',
  rfc822z: '02 Jan 06 15:04 -0700',
  rfc850: 'Monday, 02-Jan-06 15:04:05 MST',
  rfc1123: 'Mon, 02 Jan 2006 15:04:05 MST',
  rfc1123z: 'Mon, 02 Jan 2006 15:04:05 -0700',
  rfc3339: '2006-01-02T15:04:05Z07:00',
  rfc3339nano: '2006-01-02T15:04:05.999999999Z07:00',
  datetime: '2006-01-02 15:04:05',
  dateonly: '2006-01-02',
  unix: 9,
  unixms: 6,
  unixus: 3,
  unixns: 0,
}

/** Parses a named format or a layout; undefined when it has no year. */
export function parseTimeFormat(text: string): TimeFormat | undefined {
  const name = text.toLowerCase()
  const known = ownValue(NAMED, name)
  const reads = typeof known === 'number' ? known : compileLayout(known ?? text)
  return reads === undefined ? undefined : { text, reads }
}
