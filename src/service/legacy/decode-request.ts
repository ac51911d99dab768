import type { LegacyRequest, ProjectedField, VirtualField } from '../../wire/http/legacy.js'
import type { JsonObject } from '../../wire/json/json-object.js'
import {
  boolean,
  count,
  listOf,
  object,
  optional,
  orderEntry,
  present,
  text,
} from '../body/decode.js'
import { RefusedError } from '../refused-error.js'
import { decodeAggregation } from './decode-aggregation.js'
import { decodeFilter } from './decode-filter.js'

/** Decodes the body of a legacy query. Wrong types are refused with 400; missing members and unknown keywords with 422. */
export function decodeLegacyRequest(body: unknown): LegacyRequest {
  const members = object('The request body', body)
  const request: LegacyRequest = present({
    startTime: optional(members, 'startTime', time),
    endTime: optional(members, 'endTime', time),
    limit: optional(members, 'limit', count) || undefined,
    order: optional(members, 'order', listOf(orderEntry)),
    cursor: optional(members, 'cursor', text) || undefined,
    includeCursor: optional(members, 'includeCursor', boolean),
    resolution: optional(members, 'resolution', text),
    aggregations: some(members, 'aggregations', listOf(decodeAggregation)),
    groupBy: some(members, 'groupBy', listOf(text)),
    filter: optional(members, 'filter', decodeFilter),
    virtualFields: some(members, 'virtualFields', listOf(virtualField)),
    project: some(members, 'project', listOf(projectedField)),
  })
  checkTogether(request)
  return request
}

/** Decodes a list; an empty one counts as absent. */
function some<T>(
  members: JsonObject,
  name: string,
  decode: (name: string, value: unknown) => readonly T[],
): readonly T[] | undefined {
  const list = optional(members, name, decode) ?? []
  return list.length === 0 ? undefined : list
}

/** The zero time of Go, which Go clients send for an absent time. */
const NO_TIME = '0001-01-01T00:00:00Z'

function time(name: string, value: unknown): string | undefined {
  const given = text(name, value)
  return given === NO_TIME ? undefined : given
}

function checkTogether({ aggregations, groupBy, project }: LegacyRequest): void {
  if (groupBy !== undefined && aggregations === undefined) {
    throw new RefusedError('invalid-field', '`groupBy` requires `aggregations`.')
  }
  if (project !== undefined && aggregations !== undefined) {
    throw new RefusedError(
      'invalid-field',
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
  const alias = optional(members, 'alias', text)
  return { field: required(name, members, 'field'), ...(alias && { alias }) }
}

function required(name: string, members: JsonObject, member: string): string {
  const given = optional(members, member, text)
  if (given) return given
  throw new RefusedError('invalid-field', `${name} has no \`${member}\`.`)
}
