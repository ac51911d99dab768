import { priorityFields } from '../syslog/syslog.js'
import type { WrappedLine, Wrapper } from './wrapper.js'

const PRIORITY = /^<(\d{1,3})> {0,2}(?=[A-Za-z_\d])/
/** A pair, or text that no RFC of syslog has: a date with slashes, or a level in brackets in place of the host. */
const START =
  /^(?:[A-Za-z_][\w.-]{0,60}=\S|\d{1,4}\/\d{1,2}\/\d|\d{4}-\d\d-\d\d[T ][\d:.,]{8,18}(?: ?[+-]\d\d:\d\d|Z)? \[[A-Za-z]{3,11} {0,4}\] )/
/** The share of the lines that must begin so. */
const LEAST_SHARE = 0.9

/** The priority of syslog in front of pairs of keys and values, or of a date that is not a date of syslog. */
export const PRIORITY_WRAPPER: Wrapper = {
  name: 'syslog',
  title:
    'syslog of devices that send pairs only, or other dates: FortiGate, SonicWall, NetScaler, Azure IoT Edge',
  example: '<134>started',
  hasTime: false,
  parse,
  head: parse,
  accepts: (lines) =>
    lines.filter(({ text }) => START.test(text)).length >= lines.length * LEAST_SHARE,
}

function parse(line: string): WrappedLine | undefined {
  const match = PRIORITY.exec(line)
  const fields = match === null ? undefined : priorityFields(Number(match[1]))
  return fields && { source: '', fields, text: line.slice(match![0].length) }
}
