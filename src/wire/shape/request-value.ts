// Decoders for the members of request bodies.

import type { WholeNumber } from '../json/exact-json.js'
import { isJsonObject, type JsonObject } from '../json/json-object.js'

/** A body that can't be used: a member has the wrong type, or is missing or not one of the allowed values (`invalid-field`). */
export class RequestError extends Error {
  readonly reason: 'invalid-request' | 'invalid-field'

  constructor(reason: RequestError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Decodes a value; messages refer to it as `name`. */
type Decode<T> = (name: string, value: unknown) => T

/** Decodes the member of that name; undefined when it is absent or null. */
export function optional<T>(members: JsonObject, name: string, decode: Decode<T>): T | undefined {
  const value = members[name]
  return value === undefined || value === null ? undefined : decode(`\`${name}\``, value)
}

export function text(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw wrongType(name, 'a string')
}

export function boolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw wrongType(name, 'true or false')
}

/** Decodes a non-negative integer. */
export function count(name: string, value: unknown): WholeNumber {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  if (typeof value === 'bigint' && value >= 0n) return value
  throw wrongType(name, 'a non-negative integer')
}

export function object(name: string, value: unknown): JsonObject {
  if (isJsonObject(value)) return value
  throw wrongType(name, 'an object')
}

export function listOf<T>(decode: Decode<T>): Decode<readonly T[]> {
  return (name, value) => {
    if (Array.isArray(value))
      return value.map((element) => decode(`An element of ${name}`, element))
    throw wrongType(name, 'an array')
  }
}

export function wrongType(name: string, wanted: string): RequestError {
  return new RequestError('invalid-request', `${name} must be ${wanted}.`)
}

/** The refusal of a request without a required member; `what` describes the member. */
export function missing(name: string, what: string): RequestError {
  return new RequestError('invalid-field', `The request has no \`${name}\`, ${what}.`)
}
