import { CARRIAGE_RETURN, LINE_FEED } from '../../text/bytes.js'
import type { Scanner, ScanRange } from '../framing.js'
import { beginsWithTime } from './multiline/event-start.js'
import type { TextLayout } from './text-layout.js'

/** A carriage return that ends a line, or that lets a terminal overwrite it. */
const LONE_RETURN = /\r(?![\r\n]|$)/
/** The number of lines with a time that must begin after carriage returns. */
const LEAST_TIMED = 2

/** Detects the layout of a sample, some of whose lines may end with carriage returns alone. */
export function layoutWithReturns(
  sample: string,
  detect: (sample: string) => TextLayout,
): TextLayout {
  if (!LONE_RETURN.test(sample)) return detect(sample)
  const lines = sample.split(LONE_RETURN)
  // These lines outnumber others in files of old programs and in progress reports.
  const areMost = lines.length > sample.split('\n').length
  if (!areMost && lines.slice(1).filter(beginsWithTime).length < LEAST_TIMED) return detect(sample)
  return { ...detect(lines.join('\n')), hasReturns: true }
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
