import type { Field } from '../../apl/schema.js'
import { formatExpression, formatName } from '../../apl/syntax/format.js'
import { parse } from '../../apl/syntax/parser.js'
import type { OrderEntry } from '../../wire/http/query.js'
import { invalidRequest, RefusedError } from '../refused-error.js'
import { type Aggregated, aggregated } from './aggregation.js'
import type { LegacyRequest } from './decode-request.js'
import { conditionOf, type Fields } from './filter.js'

/** A legacy query in APL, which returns events or groups. */
type Translated = { readonly kind: 'events'; readonly apl: string } | GroupsInApl

/** A query that groups events, over the whole time range and by interval. */
export interface GroupsInApl {
  readonly kind: 'groups'
  /** Groups over the whole time range, in the requested order and number. */
  readonly totals: string
  readonly series: string
  readonly aggregations: readonly Aggregated[]
  /** True when the latest interval is first. */
  readonly isNewestFirst: boolean
}

export function translated(
  request: LegacyRequest,
  { dataset, fields: list }: { readonly dataset: string; readonly fields: readonly Field[] },
): Translated {
  const { virtualFields = [], filter, order = [], limit, groupBy = [] } = request
  const fields: Fields = new Map([
    ...list.map(({ name, type }) => [name, type] as const),
    ...virtualFields.map(({ alias }) => [alias, 'computed'] as const),
  ])
  const source = [
    `['${dataset}']`,
    ...virtualFields.map(
      ({ alias, expr }) => `extend ${formatName(alias)} = ${virtualExpression(alias, expr)}`,
    ),
    ...(filter === undefined ? [] : [`where ${conditionOf(filter, fields)}`]),
  ]
  const apl = (...steps: readonly string[]): string => [...source, ...steps].join('\n| ')
  if (request.aggregations === undefined) {
    return { kind: 'events', apl: apl(...sorted(order), ...projected(request)) }
  }
  const mark = markFor(groupBy)
  const aggregations = request.aggregations.map((one, index) =>
    aggregated(one, { column: `${mark}${index}`, fields }),
  )
  const aggregates = aggregations.map(({ assignment }) => assignment).join(', ')
  const keys = [...new Set(groupBy)].map((field) => `${formatName(field)} = ${formatName(field)}`)
  const interval = `${formatName(`${mark}interval`)} = bin_auto(_time)`
  return {
    kind: 'groups',
    totals: apl(
      `summarize ${aggregates}${keys.length > 0 ? ` by ${keys.join(', ')}` : ''}`,
      ...sorted(groupOrder(request, aggregations)),
      ...(limit ? [`limit ${limit}`] : []),
    ),
    series: apl(`summarize ${aggregates} by ${[interval, ...keys].join(', ')}`),
    aggregations,
    isNewestFirst: order.some(({ field, desc }) => field === '_time' && desc),
  }
}

function sorted(order: readonly OrderEntry[]): readonly string[] {
  if (order.length === 0) return []
  const keys = order.map(({ field, desc }) => `${formatName(field)} ${desc ? 'desc' : 'asc'}`)
  return [`sort by ${keys.join(', ')}`]
}

/** Events always include their times, whether or not they are projected. */
const TIMES = ['_sysTime', '_time']

function projected({ project }: LegacyRequest): readonly string[] {
  if (project === undefined) return []
  const shown = project.map(({ field, alias }) => ({ field, name: alias || field }))
  const times = TIMES.filter((time) => shown.every(({ name }) => name !== time))
  const columns = [...times.map((time) => ({ field: time, name: time })), ...shown]
  const assignments = columns.map(({ field, name }) => `${formatName(name)} = ${formatName(field)}`)
  return [`project ${assignments.join(', ')}`]
}

/** Returns the prefix of the names of internal columns. */
function markFor(groupBy: readonly string[]): string {
  let mark = '#'
  while (groupBy.some((field) => field.startsWith(mark))) mark += '#'
  return mark
}

/** Returns the order of groups by the columns of their `summarize`. A request names fields of groups, and aggregations. */
function groupOrder(
  { order = [], groupBy = [], aggregations = [] }: LegacyRequest,
  computed: readonly Aggregated[],
): readonly OrderEntry[] {
  return order.flatMap(({ field, desc }) => {
    if (groupBy.includes(field)) return [{ field, desc }]
    if (field === '_time') return []
    const at = aggregations.findIndex(({ op, alias }) => (alias ?? op) === field)
    const found = computed[at] ?? computed.find(({ label }) => label === field)
    if (found !== undefined) return [{ field: found.column, desc }]
    const known = [...groupBy, ...aggregations.map(({ op, alias }) => alias ?? op)]
    throw invalidRequest(
      `\`order\` names \`${field}\`, which is not a field of the groups. Valid fields: ${known.map((name) => `\`${name}\``).join(', ')}.`,
    )
  })
}

const BEFORE = 'print '

/** Parses the expression of a virtual field as the only value of a `print`, so that it cannot inject operators into the query. */
function virtualExpression(alias: string, expr: string): string {
  const { statements, source, steps, problems } = parse(`${BEFORE}${expr}`)
  const isOne = statements.length === 0 && steps.length === 0 && source?.kind === 'print'
  const [only] = isOne && source.assignments.length === 1 ? source.assignments : []
  const [problem] = problems
  if (problem !== undefined || only === undefined || only.name !== undefined) {
    const why = problem?.message ?? 'It must be one APL expression, as in `duration / 1000`.'
    throw new RefusedError(
      'invalid-query',
      `The \`expr\` of the virtual field \`${alias}\` does not compile. ${why}`,
    )
  }
  return formatExpression(only.value)
}
