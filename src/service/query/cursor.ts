import type { Cursor } from '../../sql/cursor.js'
import { FIRST_TIME, LAST_TIME } from '../../wire/event/event-time.js'
import { isDatasetName } from '../../wire/http/dataset-name.js'
import { invalidRequest } from '../refused-error.js'

/** The number of digits of a 64-bit number in base 36. With a fixed width, strings sort like the numbers. */
const DIGITS = 13
const CURSOR = new RegExp(`^([0-9a-z]{${DIGITS}})([0-9a-z]{${DIGITS}})(.*)$`)

/** Formats a cursor; the strings sort like the events. */
export function formatCursor({ time, seq, dataset }: Cursor): string {
  return digits(time - FIRST_TIME) + digits(seq) + dataset
}

/** Parses the cursor of a request; undefined when the request has none. */
export function requestCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined || text === '') return undefined
  const [, time = '', seq = '', dataset = ''] = CURSOR.exec(text) ?? []
  const cursor = { time: number(time) + FIRST_TIME, seq: number(seq), dataset }
  const isValid = cursor.time <= LAST_TIME && cursor.seq < 2n ** 64n && isDatasetName(dataset)
  if (isValid) return cursor
  throw invalidRequest(
    '`cursor` is not a cursor of this service. Use `status.minCursor` or `status.maxCursor` of a response.',
  )
}

function digits(value: bigint): string {
  return value.toString(36).padStart(DIGITS, '0')
}

function number(text: string): bigint {
  let value = 0n
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value
}
