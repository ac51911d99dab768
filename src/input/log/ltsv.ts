import { cellValue } from '../../wire/csv/csv-cell.js'
import { accessTime } from './clf.js'
import type { LineReader } from './log-format.js'
import { isLikelyTime, TIME_KEYS, timeIn, writeLevel } from './logfmt.js'
import type { EventTimeReading } from './time/line-layout.js'

/** Two labels or more, each with its value, and nothing else. A clock and the number of a step, as CatBoost writes it, are no labels. */
const LINE = /^(?!\d+:)[\w.-]{1,100}:[^\t]*(?:\t[\w.-]{1,100}:[^\t]*)+$/
const MISSING = '-'

/** True for a line of labeled tab-separated values. */
export function isLtsvLine(line: string): boolean {
  return LINE.test(line)
}

/**
 * Reads labeled tab-separated values, `time:20/Nov/2026:10:00:00 +0000\tstatus:200`. The first of `ts`, `time` and `timestamp`
 * that holds a time becomes `_time`, unless `findsTime` is false. A dash stands for a missing value.
 */
export function ltsvReader({
  findsTime,
  times: { zone } = {},
}: Pick<EventTimeReading, 'findsTime' | 'times'>): LineReader {
  return (line, event) => {
    let needsTime = findsTime
    for (const field of line.split('\t')) {
      const colon = field.indexOf(':')
      if (colon < 1) {
        if (field.trim() === '') continue
        return `\`${field.slice(0, 60)}\` found where a label, a colon and a value are expected`
      }
      const label = field.slice(0, colon)
      const value = field.slice(colon + 1)
      if (value === MISSING) continue
      if (needsTime && TIME_KEYS.includes(label)) {
        const text = value.replace(/^\[|\]$/g, '')
        const written = accessTime(text)
        needsTime = written === undefined && !isLikelyTime(text)
        if (written !== undefined) event.setTime(written)
        else if (!needsTime) {
          const json = cellValue(text)
          event.writeTime({ text: zone === undefined ? json : timeIn(zone, json), isJson: true })
        }
        if (!needsTime) continue
      }
      if (label === 'level') writeLevel(value, cellValue(value), event)
      else event.json(label, cellValue(value))
    }
    return undefined
  }
}
