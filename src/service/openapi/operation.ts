import { type JsonSchema, TEXT } from '../../wire/shape/json-schema.js'

/** The description of an endpoint. */
export interface Operation {
  readonly id: string
  readonly summary: string
  /** The parameters, except `:dataset` in the path. */
  readonly parameters?: readonly Parameter[]
  /** The request body, by media type. */
  readonly body?: Readonly<Record<string, JsonSchema>>
  readonly response: SuccessResponse
}

/** The description of a successful response; without a schema it has no body. */
interface SuccessResponse {
  readonly status: 200 | 201 | 204
  readonly description: string
  readonly mediaType?: string
  readonly schema?: JsonSchema
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  readonly required?: true
}

export function ok(description: string, schema: JsonSchema): SuccessResponse {
  return { status: 200, description, mediaType: 'application/json', schema }
}

export function noContent(description: string): SuccessResponse {
  return { status: 204, description }
}

/** Returns optional parameters, given the description of each and, unless it is a string, its schema. */
export function parameters(
  place: Parameter['in'],
  all: Readonly<Record<string, string | readonly [description: string, JsonSchema]>>,
): readonly Parameter[] {
  return Object.entries(all).map(([name, about]) => {
    const [description, schema] = typeof about === 'string' ? [about, TEXT] : about
    return { in: place, name, description, schema }
  })
}

export function pathParameter(name: string, description: string, schema = TEXT): Parameter {
  return { in: 'path', name, description, schema, required: true }
}
