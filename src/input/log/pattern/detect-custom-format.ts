import type { LineFormat } from '../format/line-format.js'
import { isContinuation } from '../multiline/event-start.js'
import { compilePattern } from './compile-pattern.js'
import { patternRegExp } from './compile-regex.js'

const MAX_LINES = 1000
const COMPARED_LINES = 100
/** The share of the events of an input that a saved format must match. */
const LEAST_SHARE = 0.8

/** Returns the lines of a sample that begin an event. */
export function firstLines(sample: string): readonly string[] {
  const lines = sample.split('\n', MAX_LINES).map((line) => line.replace(/\r$/, ''))
  return lines.filter((line) => line.trim() !== '' && !isContinuation(line))
}

/**
 * Returns the user-defined format that matches the most lines of a sample, in latin1; undefined when no format matches
 * nearly all lines.
 */
export function detectCustomFormat(
  sample: string,
  formats: readonly LineFormat[],
): LineFormat | undefined {
  const custom = formats.filter(({ isCustom }) => isCustom)
  const lines = custom.length === 0 ? [] : firstLines(sample).slice(0, COMPARED_LINES)
  if (lines.length === 0) return undefined
  const shares = custom.map(({ patterns }) => {
    const scans = patterns.map((pattern) => patternRegExp(compilePattern(pattern).source))
    return lines.filter((line) => scans.some((scan) => scan.test(line))).length / lines.length
  })
  const most = Math.max(...shares)
  return most < LEAST_SHARE ? undefined : custom[shares.indexOf(most)]
}
