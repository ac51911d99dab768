import { isInt64 } from '../../../text/integer.js'
import { parseEventTime } from '../../../wire/event/event-time.js'
import { parseJson } from '../../../wire/json/json-object.js'
import { parseDuration } from '../../../wire/time/duration.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import type { FieldType } from './line-pattern.js'

const LONG = /^([+-]?)0*(\d{1,19})$/
const REAL = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/** Functions that return the JSON of a text as a value of a type; undefined when the text is not such a value. */
const CONVERSIONS: Readonly<
  Record<Exclude<FieldType, 'string'>, (text: string) => string | undefined>
> = {
  long: longJson,
  real: (text) => longJson(text) ?? realJson(text),
  bool: boolJson,
  datetime(text) {
    const time = parseEventTime(text)
    return time === undefined ? undefined : `"${formatTimestamp(time)}"`
  },
  timespan: (text) => parseDuration(text)?.toString(),
  dynamic: (text) => (parseJson(text) === undefined ? undefined : text),
}

/**
 * Returns the JSON of a value of a type: numbers keep their digits, times are in RFC 3339, durations in nanoseconds. A
 * text that is not a value of the type is a string.
 */
export function fieldJson(text: string, type: FieldType): string {
  const json = type === 'string' ? undefined : CONVERSIONS[type](text)
  return json ?? JSON.stringify(text)
}

function longJson(text: string): string | undefined {
  const [, sign = '', digits] = LONG.exec(text) ?? []
  if (digits === undefined) return undefined
  // Larger integers would be rounded.
  if (digits.length === 19 && !isInt64(BigInt(sign + digits))) return undefined
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}

function realJson(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent] = REAL.exec(text) ?? []
  if (whole + fraction === '' || !Number.isFinite(Number(text))) return undefined
  const point = fraction === '' ? '' : `.${fraction}`
  const power = exponent === undefined ? '' : `e${exponent}`
  return `${sign === '-' ? '-' : ''}${whole || '0'}${point}${power}`
}

function boolJson(text: string): string | undefined {
  const word = text.toLowerCase()
  if (word === 'true' || word === '1') return 'true'
  return word === 'false' || word === '0' ? 'false' : undefined
}
