// Definitions of the JSON of responses, from which both the client's decoder and the OpenAPI document follow. Because services
// differ, unknown members are ignored, and missing members have empty values.

import { ownValue } from '../../text/own-value.js'
import { MalformedResponseError, parsePartJson, parseResponseJson } from '../http/response-json.js'
import { isJsonObject, type JsonObject, objectOf } from '../json/json-object.js'
import { JsonReader } from '../json/json-text.js'
import {
  type JsonSchema,
  leaf,
  listOf as schemaOfList,
  mapOf as schemaOfMap,
  object as schemaOfObject,
} from './json-schema.js'
import { type Shape, schemasOf, type ValueOf } from './shape.js'

/** A JSON value in a response. The decoder throws `MalformedResponseError`. */
export interface ResponseShape<T> extends Shape<T> {
  readonly accepts: (value: unknown) => boolean
  /** Reads the argument of `decode`. Absent when `JSON.parse` can read it without loss. */
  readonly read?: (reader: JsonReader) => unknown
  readonly presence?: 'required' | 'optional'
}

type Members = Readonly<Record<string, ResponseShape<unknown>>>
type OptionalName<M extends Members> = {
  [K in keyof M]: M[K] extends { readonly presence: 'optional' } ? K : never
}[keyof M]
type Flat<T> = { readonly [K in keyof T]: T[K] }
type ObjectOf<M extends Members> = Flat<
  { [K in Exclude<keyof M, OptionalName<M>>]: ValueOf<M[K]> } & {
    [K in OptionalName<M>]?: ValueOf<M[K]>
  }
>

/** Decodes the text of a response. Throws `MalformedResponseError`. */
export function decodeResponse<T>(
  text: string,
  shape: ResponseShape<T>,
  parse: (text: string) => unknown = JSON.parse,
): T {
  try {
    if (shape.read === undefined) return shape.decode('it', parseResponseJson(text, parse))
    const reader = new JsonReader(text)
    const value = shape.read(reader)
    reader.end()
    return shape.decode('it', value)
  } catch (error) {
    throw error instanceof MalformedResponseError ? error.quote(text) : error
  }
}

/** A string; empty when absent. */
export function text(description?: string): ResponseShape<string> {
  return scalar(leaf('string', description), (value) => typeof value === 'string', '')
}

/** A time; empty when absent. */
export function time(description = 'ISO 8601 in UTC, up to nine digits of fraction.') {
  return text(description)
}

/** A non-negative integer; 0 when absent. */
export function count(description?: string, more: JsonSchema = {}): ResponseShape<number> {
  const schema = leaf('integer', description, { minimum: 0, ...more })
  return scalar(schema, (value) => typeof value === 'number', 0)
}

/** A count that must be right: 0 when absent. Any value other than a non-negative integer is malformed. */
export function exactCount(description?: string): ResponseShape<number> {
  const accepts = (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0
  return {
    schema: leaf('integer', description, { minimum: 0 }),
    accepts,
    decode(name, value) {
      if (value === undefined || value === null) return 0
      if (accepts(value)) return value
      throw new MalformedResponseError(`${name} is not a count`)
    },
  }
}

/** A boolean; false when absent. The description states the meaning of true. */
export function flag(description?: string): ResponseShape<boolean> {
  return scalar(leaf('boolean', description), (value) => typeof value === 'boolean', false)
}

/** A string that is always the same. */
export function constant<const T extends string>(value: T): ResponseShape<T> {
  return { schema: { const: value }, accepts: (given) => given === value, decode: () => value }
}

function scalar<T>(
  schema: JsonSchema,
  accepts: (value: unknown) => value is T,
  empty: T,
): ResponseShape<T> {
  return { schema, accepts, decode: (_, value) => (accepts(value) ? value : empty) }
}

/** Any value, undefined when absent. */
export function anything(schema: JsonSchema = {}): ResponseShape<unknown> {
  return { schema, accepts: () => true, decode: (_, value) => value }
}

/** An object with any members; empty when absent. */
export function anyObject(): ResponseShape<JsonObject> {
  return scalar({ type: 'object' }, isJsonObject, {})
}

/** An array of values of one shape; empty when absent or null. */
export function listOf<T>(
  item: ResponseShape<T>,
  description?: string,
): ResponseShape<readonly T[]> {
  return {
    schema: schemaOfList(item.schema, description),
    accepts: Array.isArray,
    decode(name, value) {
      const items = value ?? []
      if (!Array.isArray(items)) throw new MalformedResponseError(`${name} is not a list`)
      return items.map((element) => item.decode(`an element of ${name}`, element))
    },
    ...(item.read && {
      read(reader) {
        const items: unknown[] = []
        if (!reader.takeNull()) reader.array(() => items.push(item.read?.(reader)))
        return items
      },
    }),
  }
}

/** The elements of an array that have the shape; other elements are dropped. Empty when the value is not an array. */
export function listOfValid<T>(
  item: ResponseShape<T>,
  description?: string,
): ResponseShape<readonly T[]> {
  const list = listOf(item, description)
  return {
    ...list,
    decode: (name, value) =>
      Array.isArray(value) ? list.decode(name, value.filter(item.accepts)) : [],
  }
}

/** An object with any keys and values of one shape; empty when absent or null. */
export function mapOf<T>(item: ResponseShape<T>): ResponseShape<Readonly<Record<string, T>>> {
  return {
    schema: schemaOfMap(item.schema),
    accepts: isJsonObject,
    decode(name, value) {
      const members = value ?? {}
      if (!isJsonObject(members)) throw new MalformedResponseError(`${name} is not an object`)
      return Object.fromEntries(
        Object.entries(members).map(([key, one]) => [key, item.decode(`\`${key}\``, one)]),
      )
    },
  }
}

/** An object with these members. A value of another type counts as an empty object. */
export function object<M extends Members>(members: M): ResponseShape<ObjectOf<M>> {
  const all = Object.entries(members)
  const optional = all.filter(([, { presence }]) => presence === 'optional').map(([name]) => name)
  const isRead = all.some(([, { read }]) => read !== undefined)
  return {
    schema: schemaOfObject(schemasOf(members), { optional }),
    accepts: (value) =>
      isJsonObject(value) &&
      all.every(([name, { presence, accepts }]) => presence !== 'required' || accepts(value[name])),
    decode(_, value) {
      const given = objectOf(value)
      const decoded: Record<string, unknown> = {}
      for (const [name, { presence, accepts, decode }] of all) {
        const member = given[name]
        const isAbsent = presence === 'optional' && (member === undefined || !accepts(member))
        if (!isAbsent) decoded[name] = decode(`\`${name}\``, member)
      }
      return decoded as ObjectOf<M>
    },
    ...(isRead && { read: (reader) => readMembers(reader, members) }),
  }
}

function readMembers(reader: JsonReader, members: Members): unknown {
  if (reader.takeNull()) return null
  const values: Record<string, unknown> = {}
  for (const key of reader.members()) {
    const read = ownValue(members, key)?.read
    values[key] = read === undefined ? parsePartJson(reader.raw()) : read(reader)
  }
  return values
}

/** An object that keeps unknown members. */
export function openObject<M extends Members>(members: M): ResponseShape<ObjectOf<M>> {
  const shape = object(members)
  return {
    ...shape,
    decode: (name, value) => ({ ...(value as object | null), ...shape.decode(name, value) }),
  }
}

/** A member without which the response is malformed. */
export function required<S extends ResponseShape<unknown>>(
  shape: S,
): S & { readonly presence: 'required' } {
  return {
    ...shape,
    presence: 'required',
    decode(name: string, value: unknown) {
      if (shape.accepts(value)) return shape.decode(name, value)
      throw new MalformedResponseError(`${name} is missing, or has the wrong type`)
    },
  }
}

/** A member that may be absent. A value of another type counts as absent. */
export function optional<S extends ResponseShape<unknown>>(
  shape: S,
): S & { readonly presence: 'optional' } {
  return { ...shape, presence: 'optional' }
}

export function mapped<T, U>(shape: ResponseShape<T>, change: (value: T) => U): ResponseShape<U> {
  return { ...shape, decode: (name, value) => change(shape.decode(name, value)) }
}
