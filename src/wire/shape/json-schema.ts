// Constructors for JSON Schema (2020-12), as used by OpenAPI 3.1.

export type JsonSchema = Readonly<Record<string, unknown>>

export const TEXT: JsonSchema = { type: 'string' }
export const ANYTHING: JsonSchema = {}

export function text(description: string): JsonSchema {
  return leaf('string', description)
}

export function count(description: string): JsonSchema {
  return leaf('integer', description, { minimum: 0 })
}

export function leaf(
  type: string,
  description: string | undefined,
  more: JsonSchema = {},
): JsonSchema {
  return { type, description, ...more }
}

export function listOf(items: JsonSchema, description?: string): JsonSchema {
  return { type: 'array', items, description }
}

export function mapOf(values: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: values }
}

/** An object with these properties; properties named in `optional` may be absent. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  { optional = [] }: { readonly optional?: readonly string[] } = {},
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

/** A reference to one of the document's schemas. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}
