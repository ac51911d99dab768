import { isInt64 } from '../../../text/integer.js'
import { FIRST_TIME, LAST_TIME } from '../../../wire/event/event-time.js'
import { exactJsonText } from '../../../wire/json/exact-json.js'
import type { LiteralValue } from '../../syntax/ast.js'
import { parseDatetime, parseTimespan } from '../../syntax/datetime.js'
import { parseDynamic } from '../../syntax/dynamic-literal.js'
import type { Type } from '../../type.js'
import type { CheckedExpression, Constant } from '../checked.js'

export function constantOf(type: Type, value: LiteralValue): Constant {
  return { kind: 'constant', type, value }
}

/** Converts a constant to another type; undefined when it has no value of that type. */
export function constantAs(constant: Constant, type: Type): Constant | undefined {
  const { value } = constant
  if (constant.type === type) return constant
  if (value === null) return constantOf(type, null)
  if (type === 'dynamic') return dynamicOf(constant)
  if (type === 'real' && constant.type === 'int') return constantOf('real', Number(value))
  if (constant.type !== 'string' || typeof value !== 'string') return undefined
  if (type === 'datetime') return datetimeOf(value)
  const timespan = type === 'timespan' ? parseTimespan(value) : undefined
  return timespan === undefined ? undefined : constantOf('timespan', timespan)
}

/** Returns the value of a constant number; undefined for anything else. */
export function numberOf(value: CheckedExpression): number | undefined {
  const isNumber = value.kind === 'constant' && (value.type === 'int' || value.type === 'real')
  return isNumber && value.value !== null ? Number(value.value) : undefined
}

function datetimeOf(text: string): Constant | undefined {
  const instant = parseDatetime(text)
  const fits = instant !== undefined && instant >= FIRST_TIME && instant <= LAST_TIME
  return fits ? constantOf('datetime', instant) : undefined
}

/** Converts a constant to JSON text; undefined for datetimes and timespans, which JSON cannot represent. */
function dynamicOf({ type, value }: Constant): Constant | undefined {
  if (type === 'datetime' || type === 'timespan') return undefined
  const json = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  return constantOf('dynamic', json)
}

/** Returns the constant for a JSON value of the request. */
export function constantOfJson(value: unknown): Constant {
  if (typeof value === 'string') return constantOf('string', value)
  if (typeof value === 'boolean') return constantOf('bool', value)
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && !Object.is(value, -0)
      ? constantOf('int', BigInt(value))
      : constantOf('real', value)
  }
  if (typeof value === 'bigint') {
    return isInt64(value) ? constantOf('int', value) : constantOf('real', Number(value))
  }
  if (value === null || value === undefined) return constantOf('dynamic', null)
  const json = exactJsonText(value)
  return constantOf('dynamic', parseDynamic(json) ?? json)
}

/** Returns the constant for the JSON text of a value. */
export function constantOfText(json: string): Constant {
  if (/^-?\d+$/.test(json)) {
    const whole = BigInt(json)
    if (isInt64(whole)) return constantOf('int', whole)
    return constantOf('dynamic', json)
  }
  if (/^-?\d/.test(json)) return constantOf('real', Number(json))
  if (json.startsWith('"')) return constantOf('string', JSON.parse(json) as string)
  if (json === 'true' || json === 'false') return constantOf('bool', json === 'true')
  return constantOf('dynamic', json === 'null' ? null : json)
}
