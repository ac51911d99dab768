import { type JsonSchema, ref } from './json-schema.js'

/** A JSON value: its schema, and its decoder, whose messages refer to the value as `name`. */
export interface Shape<T> {
  readonly schema: JsonSchema
  readonly decode: (name: string, value: unknown) => T
}

export type ValueOf<S> = S extends Shape<infer T> ? T : never

export function schemasOf(
  members: Readonly<Record<string, Shape<unknown>>>,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema]))
}

/** The same shape, with a reference to a schema of the OpenAPI document as its schema. */
export function named<S extends Shape<unknown>>(name: string, shape: S): S {
  return { ...shape, schema: ref(name) }
}
