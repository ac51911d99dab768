// Definitions of the JSON of request bodies, from which both the service's decoder and the OpenAPI document follow. The
// decoders throw a `RequestError`.

import { defined } from '../../text/defined.js'
import type { WholeNumber } from '../json/exact-json.js'
import { isJsonObject, type JsonObject } from '../json/json-object.js'
import {
  ANYTHING,
  type JsonSchema,
  leaf,
  listOf as schemaOfList,
  object as schemaOfObject,
} from './json-schema.js'
import { RequestError, wrongType } from './request-error.js'
import { type Shape, schemasOf, type ValueOf } from './shape.js'

type Members = Readonly<Record<string, Shape<unknown>>>
type OptionalMembers<M extends Members> = {
  readonly [K in keyof M]?: Exclude<ValueOf<M[K]>, undefined>
}

export function text(description?: string, more: JsonSchema = {}): Shape<string> {
  const schema = leaf('string', description, more)
  return valueThat((value) => typeof value === 'string', 'a string', schema)
}

/** A boolean. The description states the meaning of true. */
export function flag(description?: string): Shape<boolean> {
  const schema = leaf('boolean', description)
  return valueThat((value) => typeof value === 'boolean', 'true or false', schema)
}

/** A non-negative integer of any length. */
export function count(description?: string): Shape<WholeNumber> {
  const schema = leaf('integer', description, { minimum: 0 })
  return valueThat(isCount, 'a non-negative integer', schema)
}

function isCount(value: unknown): value is WholeNumber {
  return typeof value === 'bigint' ? value >= 0n : Number.isInteger(value) && Number(value) >= 0
}

export function anything(): Shape<unknown> {
  return { schema: ANYTHING, decode: (_, value) => value }
}

export function anyObject(description?: string): Shape<JsonObject> {
  const schema = leaf('object', description, { additionalProperties: {} })
  return valueThat(isJsonObject, 'an object', schema)
}

/** A value that passes a test; `wanted` describes such values. */
function valueThat<T>(
  passes: (value: unknown) => value is T,
  wanted: string,
  schema: JsonSchema,
): Shape<T> {
  return {
    schema,
    decode(name, value) {
      if (passes(value)) return value
      throw wrongType(name, wanted)
    },
  }
}

/** One of several strings. */
export function word<const W extends string>(words: readonly W[], description: string): Shape<W> {
  return {
    schema: leaf('string', description, { enum: words }),
    decode(name, value) {
      const given = text().decode(name, value)
      const known = words.find((one) => one === given)
      if (known !== undefined) return known
      const choices = words.map((one) => `\`${one}\``)
      const all = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices)
      throw new RequestError('invalid-field', `${name} is ${all}, not \`${given}\`.`)
    },
  }
}

export function listOf<T>(item: Shape<T>, description?: string): Shape<readonly T[]> {
  const schema = schemaOfList(item.schema, description)
  const list = valueThat((value): value is unknown[] => Array.isArray(value), 'an array', schema)
  return {
    schema,
    decode: (name, value) =>
      list.decode(name, value).map((one) => item.decode(`An element of ${name}`, one)),
  }
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
      const given = anyObject().decode(name, value)
      const found = Object.entries(members).map(([member, { decode }]) => {
        const own = given[member] ?? undefined
        return [member, own === undefined ? own : decode(`\`${member}\``, own)] as const
      })
      return defined(Object.fromEntries(found)) as OptionalMembers<M>
    },
  }
}
