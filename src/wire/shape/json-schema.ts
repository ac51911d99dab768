// Constructors for JSON Schema (2020-12), as used by OpenAPI 3.1.

/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>

export const TEXT: Schema = { type: 'string' }
export const FLAG: Schema = { type: 'boolean' }
export const COUNT: Schema = { type: 'integer', minimum: 0 }
export const ANYTHING: Schema = {}

/** A string with a description. */
export function text(description: string, more: Schema = {}): Schema {
  return { ...TEXT, description, ...more }
}

/** A non-negative integer with a description. */
export function count(description: string): Schema {
  return { ...COUNT, description }
}

/** A boolean, with the meaning of true. */
export function flag(description: string): Schema {
  return { ...FLAG, description }
}

/** An array of values of one schema. */
export function listOf(items: Schema, description?: string): Schema {
  return { type: 'array', items, ...(description !== undefined && { description }) }
}

/** An object with arbitrary keys and values of one schema. */
export function mapOf(values: Schema, description?: string): Schema {
  const described = description !== undefined && { description }
  return { type: 'object', additionalProperties: values, ...described }
}

/** An object with these properties, of which those named in `optional` may be absent. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  { optional = [] }: { readonly optional?: readonly string[] | 'all' } = {},
): Schema {
  const required =
    optional === 'all' ? [] : Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

/** A reference to one of the document's schemas. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}
