// Words for JSON Schema (2020-12), as OpenAPI 3.1 has it.

/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>

export const TEXT: Schema = { type: 'string' }
export const FLAG: Schema = { type: 'boolean' }
export const COUNT: Schema = { type: 'integer', minimum: 0 }
export const ANYTHING: Schema = {}

/** A text with what it means. */
export function text(description: string, more: Schema = {}): Schema {
  return { ...TEXT, description, ...more }
}

/** A whole number from 0 with what it means. */
export function count(description: string): Schema {
  return { ...COUNT, description }
}

/** Yes or no, with what yes means. */
export function flag(description: string): Schema {
  return { ...FLAG, description }
}

/** One of a few words. */
export function word(words: readonly string[], description: string): Schema {
  return { ...TEXT, enum: words, description }
}

/** An array of values of one kind. */
export function listOf(items: Schema, description?: string): Schema {
  return { type: 'array', items, ...(description !== undefined && { description }) }
}

/** Names for values of one kind. */
export function mapOf(values: Schema, description?: string): Schema {
  const described = description !== undefined && { description }
  return { type: 'object', additionalProperties: values, ...described }
}

/** An object with these members; those named in `optional` may be missing. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  { optional = [] }: { readonly optional?: readonly string[] | 'all' } = {},
): Schema {
  const required =
    optional === 'all' ? [] : Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

/** One of the document's own schemas. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}
