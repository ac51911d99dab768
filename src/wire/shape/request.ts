// Definitions of the JSON of request bodies, from which both the service's decoder and the OpenAPI document follow. The
// decoders throw a `RequestError`.

import { defined } from '../../text/defined.js'
import type { WholeNumber } from '../json/exact-json.js'
import type { JsonObject } from '../json/json-object.js'
import {
  ANYTHING,
  type JsonSchema,
  leaf,
  listOf as schemaOfList,
  object as schemaOfObject,
} from './json-schema.js'
import * as decoder from './request-value.js'
import { type Shape, schemasOf, type ValueOf } from './shape.js'

type Members = Readonly<Record<string, Shape<unknown>>>
type OptionalMembers<M extends Members> = {
  readonly [K in keyof M]?: Exclude<ValueOf<M[K]>, undefined>
}

export function text(description?: string, more: JsonSchema = {}): Shape<string> {
  return { schema: leaf('string', description, more), decode: decoder.text }
}

/** A boolean. The description states the meaning of true. */
export function flag(description?: string): Shape<boolean> {
  return { schema: leaf('boolean', description), decode: decoder.boolean }
}

/** A non-negative integer of any length. */
export function count(description?: string): Shape<WholeNumber> {
  return { schema: leaf('integer', description, { minimum: 0 }), decode: decoder.count }
}

export function anything(): Shape<unknown> {
  return { schema: ANYTHING, decode: (_, value) => value }
}

export function anyObject(description?: string): Shape<JsonObject> {
  return {
    schema: leaf('object', description, { additionalProperties: {} }),
    decode: decoder.object,
  }
}

/** One of several strings. */
export function word<const W extends string>(words: readonly W[], description: string): Shape<W> {
  return {
    schema: leaf('string', description, { enum: words }),
    decode(name, value) {
      const given = decoder.text(name, value)
      const known = words.find((one) => one === given)
      if (known !== undefined) return known
      const choices = words.map((one) => `\`${one}\``)
      const all = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices)
      throw new decoder.RequestError('invalid-field', `${name} is ${all}, not \`${given}\`.`)
    },
  }
}

export function listOf<T>(item: Shape<T>, description?: string): Shape<readonly T[]> {
  return { schema: schemaOfList(item.schema, description), decode: decoder.listOf(item.decode) }
}

/** A shape whose decoded values are replaced by `change`, for example empty strings by undefined, which counts as absent. */
export function mapped<T, U>({ schema, decode }: Shape<T>, change: (value: T) => U): Shape<U> {
  return { schema, decode: (name, value) => change(decode(name, value)) }
}

/**
 * An object whose members may be absent or null; unknown members are ignored. Members named in `required` are required by the schema
 * only: the endpoint refuses a request without them.
 */
export function optionalMembers<M extends Members>(
  members: M,
  required: readonly (keyof M)[] = [],
): Shape<OptionalMembers<M>> {
  const optional = Object.keys(members).filter((name) => !required.includes(name))
  return {
    schema: schemaOfObject(schemasOf(members), { optional }),
    decode(name, value) {
      const given = decoder.object(name, value)
      const found = Object.entries(members).map(
        ([member, { decode }]) => [member, decoder.optional(given, member, decode)] as const,
      )
      return defined(Object.fromEntries(found)) as OptionalMembers<M>
    },
  }
}
