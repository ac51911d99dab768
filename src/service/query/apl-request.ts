import type { AplRequest, QueryOptions } from '../../wire/http/query.js'
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

/** Decodes the body of a query. Wrong types are refused with 400; a missing query or an unknown keyword with 422. */
export function decodeAplRequest(body: unknown): AplRequest {
  const members = object('The request body', body)
  const apl = optional(members, 'apl', text)
  if (apl === undefined || apl.trim() === '') {
    throw new RefusedError('invalid-field', 'The request has no `apl`, the query to run.')
  }
  return {
    apl,
    ...present({
      startTime: optional(members, 'startTime', text),
      endTime: optional(members, 'endTime', text),
      cursor: optional(members, 'cursor', text),
      includeCursor: optional(members, 'includeCursor', boolean),
      includeCursorField: optional(members, 'includeCursorField', boolean),
      defaultLimit: optional(members, 'defaultLimit', count),
      defaultOrder: optional(members, 'defaultOrder', listOf(orderEntry)),
      libraries: optional(members, 'libraries', listOf(text)),
      queryOptions: optional(members, 'queryOptions', queryOptions),
      variables: optional(members, 'variables', object),
    }),
  }
}

function queryOptions(name: string, value: unknown): QueryOptions {
  const members = object(name, value)
  return present({
    disableCache: optional(members, 'disableCache', boolean),
    disableStats: optional(members, 'disableStats', boolean),
    disableTrace: optional(members, 'disableTrace', boolean),
    maxDataPoints: optional(members, 'maxDataPoints', count),
    maxSeries: optional(members, 'maxSeries', count),
    noAggregation: optional(members, 'noAggregation', boolean),
    noFill: optional(members, 'noFill', boolean),
    noInterpolation: optional(members, 'noInterpolation', boolean),
    priority: optional(members, 'priority', priority),
    resolution: optional(members, 'resolution', text),
  })
}

const PRIORITIES = ['low', 'medium', 'high'] as const

function priority(name: string, value: unknown): (typeof PRIORITIES)[number] {
  const given = text(name, value)
  const known = PRIORITIES.find((word) => word === given)
  if (known !== undefined) return known
  throw new RefusedError(
    'invalid-field',
    `${name} is \`low\`, \`medium\` or \`high\`, not \`${given}\`.`,
  )
}
