import { priorityFields } from '../syslog/syslog.js'
import type { WrappedLine, Wrapper } from './wrapper.js'

const PRIORITY = /^<(\d{1,3})> {0,2}(?=[A-Za-z_])/
const PAIR = /^[A-Za-z_][\w.-]{0,60}=\S/
/** The share of the lines that must begin with a pair. */
const LEAST_SHARE = 0.9

/** The priority of syslog in front of pairs of keys and values, without a time and a host. */
export const PRIORITY_WRAPPER: Wrapper = {
  name: 'syslog',
  title: 'syslog of devices that send pairs only: FortiGate, SonicWall',
  example: '<134>started',
  hasTime: false,
  parse,
  head: parse,
  accepts: (lines) =>
    lines.filter(({ text }) => PAIR.test(text)).length >= lines.length * LEAST_SHARE,
}

function parse(line: string): WrappedLine | undefined {
  const match = PRIORITY.exec(line)
  const fields = match === null ? undefined : priorityFields(Number(match[1]))
  return fields && { source: '', fields, text: line.slice(match![0].length) }
}
