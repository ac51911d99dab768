import { ORDER, QUERY_RANGE } from '../../wire/http/query.js'
import type { WholeNumber } from '../../wire/json/exact-json.js'
import type { JsonObject } from '../../wire/json/json-object.js'
import { object as schemaOfObject } from '../../wire/shape/json-schema.js'
import { count, listOf, mapped, optionalMembers, text } from '../../wire/shape/request.js'
import { object, optional, text as textOf } from '../../wire/shape/request-value.js'
import { named, type Shape, type ValueOf } from '../../wire/shape/shape.js'
import { invalidField } from '../refused-error.js'
import { AGGREGATION } from './decode-aggregation.js'
import { FILTER } from './decode-filter.js'

/** A computed field: an APL expression and its name. */
export interface VirtualField {
  readonly alias: string
  readonly expr: string
}

/** A field of the matches, and its name in the response. */
export interface ProjectedField {
  readonly field: string
  readonly alias?: string
}

/** A shape whose empty lists, empty strings and zeros count as absent. */
function absentIfEmpty<T extends string | WholeNumber | readonly unknown[]>(shape: Shape<T>) {
  return mapped(shape, (value) =>
    (Array.isArray(value) ? value.length > 0 : value) ? value : undefined,
  )
}

export const LEGACY_REQUEST = optionalMembers({
  ...QUERY_RANGE,
  cursor: absentIfEmpty(QUERY_RANGE.cursor),
  /** The maximum number of events or, with aggregations, of groups; 0 means no limit. */
  limit: absentIfEmpty(count()),
  order: listOf(named('Order', ORDER)),
  /** The interval of the series: `auto`, `30s`, `1h`. */
  resolution: text(),
  aggregations: absentIfEmpty(listOf(AGGREGATION)),
  groupBy: absentIfEmpty(listOf(text())),
  filter: named('LegacyFilter', FILTER),
  virtualFields: absentIfEmpty(
    listOf({
      schema: schemaOfObject({ alias: text().schema, expr: text().schema }),
      decode: virtualField,
    }),
  ),
  project: absentIfEmpty(
    listOf({
      schema: schemaOfObject(
        { field: text().schema, alias: text().schema },
        { optional: ['alias'] },
      ),
      decode: projectedField,
    }),
  ),
})

export type LegacyRequest = ValueOf<typeof LEGACY_REQUEST>

/** Decodes the body of a legacy query. Wrong types are refused with 400; missing members and unknown keywords with 422. */
export function decodeLegacyRequest(body: unknown): LegacyRequest {
  const request = LEGACY_REQUEST.decode('The request body', body)
  checkTogether(request)
  return request
}

function checkTogether({ aggregations, groupBy, project }: LegacyRequest): void {
  if (groupBy !== undefined && aggregations === undefined) {
    throw invalidField('`groupBy` requires `aggregations`.')
  }
  if (project !== undefined && aggregations !== undefined) {
    throw invalidField(
      '`project` selects fields of events and cannot be combined with `aggregations`.',
    )
  }
}

function virtualField(name: string, value: unknown): VirtualField {
  const members = object(name, value)
  return { alias: required(name, members, 'alias'), expr: required(name, members, 'expr') }
}

function projectedField(name: string, value: unknown): ProjectedField {
  const members = object(name, value)
  const alias = optional(members, 'alias', textOf)
  return { field: required(name, members, 'field'), ...(alias && { alias }) }
}

function required(name: string, members: JsonObject, member: string): string {
  const given = optional(members, member, textOf)
  if (given) return given
  throw invalidField(`${name} has no \`${member}\`.`)
}
