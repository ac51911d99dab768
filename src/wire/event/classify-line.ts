import type { FieldPath } from '../json/field-path.js'
import {
  FORM_NAMES,
  type Leaf,
  LineError,
  type LineFault,
  readLeavesInSteps,
} from '../json/json-line.js'
import { runToEnd, type Steps } from '../steps/steps.js'
import { type EventOptions, timePaths, withLabels } from './event-options.js'
import { parseEventTime } from './event-time.js'

type ClassifiedLine =
  | {
      readonly kind: 'event'
      readonly leaves: readonly Leaf[]
      readonly time: bigint | undefined
    }
  | { readonly kind: 'blank' }
  | { readonly kind: 'rejected'; readonly fault: LineFault; readonly reason: string }

const BLANK = /^[ \t\r\n]*$/

/** Parses and validates a line. An undefined line is a line that is not UTF-8. */
export function classifyLine(line: string | undefined, terms: EventOptions): ClassifiedLine {
  return runToEnd(classifyLineInSteps(line, terms))
}

/** Parses and validates a line like `classifyLine`, in steps of a few milliseconds, because lines may be long. */
export function* classifyLineInSteps(
  line: string | undefined,
  terms: EventOptions,
): Steps<ClassifiedLine> {
  if (line === undefined) return { kind: 'rejected', fault: 'not-utf-8', reason: NOT_UTF_8 }
  if (BLANK.test(line)) return { kind: 'blank' }
  try {
    const own = yield* readLeavesInSteps(line)
    const leaves = terms.labels ? yield* readLeavesInSteps(withLabels(line, terms.labels)) : own
    return { kind: 'event', leaves, time: timeOf(leaves, terms) }
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    return { kind: 'rejected', fault: error.fault, reason: error.message }
  }
}

function timeOf(
  leaves: readonly Leaf[],
  { timestampField, timeFormat }: EventOptions,
): bigint | undefined {
  const places = timePaths(timestampField)
  const found = places
    .map((place) =>
      leaves.find(({ path }) => path.length === place.length && startsWith(path, place)),
    )
    .find((leaf) => leaf !== undefined && leaf.form !== 'null')
  if (found === undefined) {
    const object = leaves.find(({ path }) =>
      places.some((place) => path.length > place.length && startsWith(path, place)),
    )
    if (object === undefined) return undefined
    throw notTime(timestampField, FORM_NAMES.object)
  }
  if (found.form !== 'string' && found.form !== 'number') {
    throw notTime(timestampField, FORM_NAMES[found.form])
  }
  const time = parseEventTime(found.text, timeFormat)
  if (time === undefined) {
    const written = JSON.stringify(found.text.slice(0, 60))
    throw notTime(timestampField, timeFormat ? `${written} as \`${timeFormat.text}\`` : written)
  }
  return time
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.every((key, depth) => key === path[depth])
}

export const NOT_UTF_8 = 'not UTF-8'

/** The words of the reason between the field and its value. */
export const NOT_A_TIME = 'is not a time between 1900 and 2262'

function notTime(field: string, found: string): LineError {
  return new LineError('not-a-time', `\`${field}\` ${NOT_A_TIME}: ${found}`)
}
