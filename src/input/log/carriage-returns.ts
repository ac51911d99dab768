import { CARRIAGE_RETURN, LINE_FEED } from '../../text/bytes.js'
import type { Scanner, ScanRange } from '../framing.js'
import { beginsWithTime } from './multiline/event-start.js'

/** A carriage return that ends a line, or that lets a terminal overwrite it. */
const LONE_RETURN = /\r(?![\r\n]|$)/
/** The number of lines with a time that must begin after carriage returns. */
const LEAST_TIMED = 2

/**
 * True when lines of a sample end with carriage returns alone: they outnumber line feeds, as in files of old programs and
 * in progress reports, or lines with a time follow them.
 */
export function hasReturnLines(sample: string): boolean {
  if (!LONE_RETURN.test(sample)) return false
  const lines = sample.split(LONE_RETURN)
  const feeds = sample.split('\n').length - 1
  return lines.length - 1 > feeds || lines.slice(1).filter(beginsWithTime).length >= LEAST_TIMED
}

/** Returns a sample whose lines all end with line feeds. */
export function withFeeds(sample: string): string {
  return sample.split(LONE_RETURN).join('\n')
}

/** Returns a scanner of lines that end with carriage returns; it overwrites them, so that the positions of events stay the same. */
export function returnsScanner(scanner: Scanner): Scanner {
  return {
    ...(scanner.settle !== undefined && { settle: (options) => scanner.settle!(options) }),
    scan(bytes, range) {
      writeFeeds(bytes, range)
      return scanner.scan(bytes, range)
    },
    finish: () => scanner.finish(),
  }
}

/** If a line feed follows the range, the line after its last carriage return is blank, and belongs to no event of its own. */
function writeFeeds(bytes: Buffer, { from, to }: ScanRange): void {
  const range = bytes.subarray(from, to)
  for (
    let at = range.indexOf(CARRIAGE_RETURN);
    at !== -1;
    at = range.indexOf(CARRIAGE_RETURN, at + 1)
  ) {
    const next = range[at + 1]
    if (next !== LINE_FEED && next !== CARRIAGE_RETURN) range[at] = LINE_FEED
  }
}
