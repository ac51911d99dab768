import { readableText } from '../../../render/cell.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import { formatTimestamp, timeOfCell } from '../../../wire/time/timestamp.js'

/** Returns the day (`2026-01-31`) and the time (`10:00:00.123`) of a cell in a zone; undefined when the cell has no time. */
export function shownTime(cell: JsonText | undefined, zone: TimeZone) {
  const instant = timeOfCell(cell)
  if (instant === undefined) return undefined
  const text = formatTimestamp(instant, zone.offsetAt(instant))
  const [, day = '', second = '', fraction = ''] =
    /^(.*)T(\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(text) ?? []
  return { day, clock: `${second}.${fraction.slice(0, 3).padEnd(3, '0')}` }
}

/** Formats a value for people, with times in a zone. */
export function textInZone(cell: JsonText, type: string, zone: TimeZone): string {
  const instant = type === 'datetime' ? timeOfCell(cell) : undefined
  if (instant === undefined) return readableText(cell, type)
  return formatTimestamp(instant, zone.offsetAt(instant))
}
