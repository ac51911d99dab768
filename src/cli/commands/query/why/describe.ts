// The explanation in words, and as JSON.

import { readableText } from '../../../../render/cell.js'
import { cutText } from '../../../../render/fit-text.js'
import { counted, formatInteger } from '../../../../text/integer.js'
import { formatTimestamp } from '../../../../wire/time/timestamp.js'
import type { Explanation, Point } from './explain.js'
import type { Nearby } from './nearby.js'

/** The longest text of a condition or a value, in terminal columns. */
const LONGEST_TEXT = 120
const LONGEST_VALUE = 60

export function describeExplanation(explanation: Explanation): readonly string[] {
  const { isEvents, rows, all, points } = explanation
  const lines = points.map((point) => `  ${describePoint(point)}`)
  if (!isEvents)
    return ['Why there are no rows:', `  the source: ${counted(rows, 'row')}`, ...lines]
  const { startTime, endTime } = explanation.range
  const isBounded = startTime !== undefined || endTime !== undefined
  if (all === undefined) {
    const where = isBounded ? 'the time range' : 'the dataset'
    return ['Why there are no rows:', `  ${where}: ${counted(rows, 'event')}`, ...lines]
  }
  if (all.rows === 0) return ['Why there are no rows: the dataset has no events.']
  const times =
    all.first === undefined || all.last === undefined
      ? ''
      : ` from ${readableText(all.first, '')} to ${readableText(all.last, '')}`
  const found = `the dataset has ${counted(all.rows, 'event')}${times}.`
  const heading = `Why there are no rows: ${isBounded ? `the time range has 0 events, ${found}` : found}`
  return lines.length === 0 ? [heading] : [heading, '  Without the time range:', ...lines]
}

function describePoint(point: Point): string {
  const text = quoted(point.text)
  switch (point.kind) {
    case 'condition': {
      const { matched, of, alone, rows, nearby } = point
      if (of === 0) {
        const found = rows === 0 ? '' : ` (alone: ${ratio(alone, rows)})`
        return `${text}: not reached${found}`
      }
      const notes = nearby.map((one) => describeNearby(one, nearby.length > 1))
      if (matched === 0 && alone > 0) notes.push(`alone: ${ratio(alone, rows)}`)
      return `${text}: ${ratio(matched, of)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
    }
    case 'join':
      return `${text}: ${counted(point.left, 'row')} on the left, ${counted(point.right, 'row')} on the right, ${formatInteger(point.joined)} joined`
    case 'operator':
      return `${text}: ${counted(point.rows, 'row')}`
    default:
      return point satisfies never
  }
}

function describeNearby(nearby: Nearby, isOneOfSeveral: boolean): string {
  const name = quoted(nearby.subject)
  switch (nearby.kind) {
    case 'nothing':
      return `${name} has no value`
    case 'range':
      return `${name} is from ${value(nearby.low)} to ${value(nearby.high)}`
    case 'values': {
      const { values, others } = nearby
      const verb = values.length === 1 && others === 0 ? 'is' : 'are'
      const start = isOneOfSeveral ? `of ${name} there ${verb}` : `there ${verb}`
      const more =
        others === undefined
          ? ' and more'
          : others === 0
            ? ''
            : ` and ${formatInteger(others)} more`
      return `${start} ${values.map(value).join(', ')}${more}`
    }
    default:
      return nearby satisfies never
  }
}

function ratio(part: number, whole: number): string {
  return `${formatInteger(part)} of ${formatInteger(whole)}`
}

function value(cell: string): string {
  return `\`${cutText(readableText(cell, ''), LONGEST_VALUE)}\``
}

function quoted(text: string): string {
  return `\`${cutText(text.replace(/\s+/g, ' '), LONGEST_TEXT)}\``
}

/** Returns an explanation as a value for JSON; cells are parsed. */
export function explanationJson(explanation: Explanation): object {
  const { range, rows, all, points, since } = explanation
  return {
    range: { ...range, rows },
    all: all && { rows: all.rows, first: parsed(all.first), last: parsed(all.last) },
    points: points.map((point) =>
      point.kind === 'condition' ? { ...point, nearby: point.nearby.map(nearbyJson) } : point,
    ),
    ...(since !== undefined && { since: formatTimestamp(since) }),
  }
}

function nearbyJson(nearby: Nearby): object {
  switch (nearby.kind) {
    case 'nothing':
      return nearby
    case 'range':
      return { ...nearby, low: parsed(nearby.low), high: parsed(nearby.high) }
    case 'values':
      return { ...nearby, values: nearby.values.map(parsed) }
    default:
      return nearby satisfies never
  }
}

function parsed(cell: string | undefined): unknown {
  return cell === undefined ? null : JSON.parse(cell)
}
