import { ORDER, QUERY_RANGE } from '../../wire/http/query.js'
import type { WholeNumber } from '../../wire/json/exact-json.js'
import { count, listOf, mapped, optionalMembers, text } from '../../wire/shape/request.js'
import { named, type Shape, type ValueOf } from '../../wire/shape/shape.js'
import { invalidField } from '../refused-error.js'
import { AGGREGATION } from './aggregation.js'
import { FILTER } from './filter.js'

/** A shape whose empty lists, empty strings and zeros count as absent. */
function absentIfEmpty<T extends string | WholeNumber | readonly unknown[]>(shape: Shape<T>) {
  return mapped(shape, (value) =>
    (Array.isArray(value) ? value.length > 0 : value) ? value : undefined,
  )
}

/** An object of strings; the first ones must not be missing or empty. */
function texts<Name extends string, Other extends string = never>(
  names: readonly Name[],
  others: readonly Other[] = [],
): Shape<{ readonly [N in Name]: string } & { readonly [N in Other]?: string }> {
  const all = [...names, ...others].map((name) => [name, text()] as const)
  const { schema, decode } = optionalMembers(Object.fromEntries(all), names)
  return {
    schema,
    decode(name, value) {
      const members = decode(name, value)
      const missing = names.find((member) => !members[member])
      if (missing === undefined) return members as Record<Name | Other, string>
      throw invalidField(`${name} has no \`${missing}\`.`)
    },
  }
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
  /** Computed fields: APL expressions and their names. */
  virtualFields: absentIfEmpty(listOf(texts(['alias', 'expr']))),
  /** Fields of the matches, and their names in the response. */
  project: absentIfEmpty(listOf(texts(['field'], ['alias']))),
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
