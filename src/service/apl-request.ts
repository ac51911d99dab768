import type { AplRequest, OrderEntry, QueryOptions } from '../wire/query.js'
import { RefusedError } from './refused-error.js'

/** Decodes the body of a query. A wrong type is 400; a missing query, or a word outside its list, 422. */
export function decodeAplRequest(body: unknown): AplRequest {
  const members = object('The body of the request', body)
  const apl = optional(members, 'apl', text)
  if (apl === undefined || apl.trim() === '') {
    throw new RefusedError('invalid-field', 'The request has no `apl`, the text of the query.')
  }
  return {
    apl,
    ...present({
      startTime: optional(members, 'startTime', text),
      endTime: optional(members, 'endTime', text),
      cursor: optional(members, 'cursor', text),
      includeCursor: optional(members, 'includeCursor', boolean),
      includeCursorField: optional(members, 'includeCursorField', boolean),
      defaultLimit: optional(members, 'defaultLimit', count),
      defaultOrder: optional(members, 'defaultOrder', listOf(orderEntry)),
      libraries: optional(members, 'libraries', listOf(text)),
      queryOptions: optional(members, 'queryOptions', queryOptions),
      variables: optional(members, 'variables', variables),
    }),
  }
}

/** Decodes a value that a message calls by `name`. */
type Decode<T> = (name: string, value: unknown) => T

function queryOptions(name: string, value: unknown): QueryOptions {
  const members = object(name, value)
  return present({
    disableCache: optional(members, 'disableCache', boolean),
    disableStats: optional(members, 'disableStats', boolean),
    disableTrace: optional(members, 'disableTrace', boolean),
    maxDataPoints: optional(members, 'maxDataPoints', count),
    maxSeries: optional(members, 'maxSeries', count),
    noAggregation: optional(members, 'noAggregation', boolean),
    noFill: optional(members, 'noFill', boolean),
    noInterpolation: optional(members, 'noInterpolation', boolean),
    priority: optional(members, 'priority', priority),
    resolution: optional(members, 'resolution', text),
  })
}

/** Names for values of any kind; a number that reading it as JSON has already rounded is refused. */
function variables(name: string, value: unknown): Readonly<Record<string, unknown>> {
  const members = object(name, value)
  for (const [key, given] of Object.entries(members)) {
    if (typeof given !== 'number' || !Number.isInteger(given) || Number.isSafeInteger(given))
      continue
    throw new RefusedError(
      'invalid-field',
      `The variable \`${key}\` is a whole number beyond 2^53, which JSON does not keep exactly. Sent as text, \`toint(${key})\` reads it.`,
    )
  }
  return members
}

function orderEntry(name: string, value: unknown): OrderEntry {
  const members = object(name, value)
  const field = optional(members, 'field', text)
  if (field === undefined) {
    throw new RefusedError('invalid-field', `${name} has no \`field\`.`)
  }
  return { field, desc: optional(members, 'desc', boolean) ?? false }
}

const PRIORITIES = ['low', 'medium', 'high'] as const

function priority(name: string, value: unknown): (typeof PRIORITIES)[number] {
  const given = text(name, value)
  const known = PRIORITIES.find((word) => word === given)
  if (known !== undefined) return known
  throw new RefusedError(
    'invalid-field',
    `${name} is \`low\`, \`medium\` or \`high\`, not \`${given}\`.`,
  )
}

function optional<T>(
  members: Readonly<Record<string, unknown>>,
  name: string,
  decode: Decode<T>,
): T | undefined {
  const value = members[name]
  return value === undefined || value === null ? undefined : decode(`\`${name}\``, value)
}

/** Leaves out what is not there: an optional property is missing, never undefined. */
function present<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const there = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(there) as { [K in keyof T]: Exclude<T[K], undefined> }
}

function text(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw wrongType(name, 'a string')
}

function boolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw wrongType(name, 'true or false')
}

function count(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw wrongType(name, 'a whole number from 0')
}

function object(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  throw wrongType(name, 'an object')
}

function listOf<T>(decode: Decode<T>): Decode<readonly T[]> {
  return (name, value) => {
    if (Array.isArray(value))
      return value.map((element) => decode(`An element of ${name}`, element))
    throw wrongType(name, 'an array')
  }
}

function wrongType(name: string, wanted: string): RefusedError {
  return new RefusedError('invalid-request', `${name} must be ${wanted}.`)
}
