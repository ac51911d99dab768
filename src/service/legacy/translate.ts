import type { Field } from '../../apl/schema.js'
import type { Expression, Operator } from '../../apl/syntax/ast.js'
import { formatQuery } from '../../apl/syntax/format.js'
import { parse } from '../../apl/syntax/parser.js'
import type { OrderEntry } from '../../wire/http/query.js'
import { invalidRequest, RefusedError } from '../refused-error.js'
import { type Aggregated, aggregated } from './aggregation.js'
import type { LegacyRequest, ProjectedField, VirtualField } from './decode-request.js'
import { type Fields, filterExpression } from './filter.js'
import { assignment, call, column, literal, NOWHERE, sortKey } from './tree.js'

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
  const fields = fieldsOf(request, list)
  const before = [...virtualFields(request), ...filtered(request, fields)]
  const apl = (operators: readonly Operator[]) =>
    formatQuery({
      statements: [],
      source: { kind: 'dataset', name: dataset, span: NOWHERE },
      operators,
      span: NOWHERE,
    })
  if (request.aggregations === undefined) {
    return { kind: 'events', apl: apl([...before, ...sorted(request.order), ...shown(request)]) }
  }
  const mark = markFor(request)
  const aggregations = request.aggregations.map((one, index) =>
    aggregated(one, { name: `${mark}${index}`, fields }),
  )
  const order = groupOrder(request, aggregations)
  const limit = literal('int', BigInt(request.limit ?? 0))
  return {
    kind: 'groups',
    totals: apl([
      ...before,
      summarize(request, aggregations, []),
      ...sorted(order),
      ...(request.limit ? [{ kind: 'limit', count: limit, span: NOWHERE } as const] : []),
    ]),
    series: apl([...before, summarize(request, aggregations, [interval(mark)])]),
    aggregations,
    isNewestFirst: request.order?.some(({ field, desc }) => field === '_time' && desc) ?? false,
  }
}

function fieldsOf({ virtualFields = [] }: LegacyRequest, list: readonly Field[]): Fields {
  return new Map([
    ...list.map(({ name, type }) => [name, type] as const),
    ...virtualFields.map(({ alias }) => [alias, 'computed'] as const),
  ])
}

function virtualFields({ virtualFields = [] }: LegacyRequest): readonly Operator[] {
  return virtualFields.map((field) => ({
    kind: 'extend',
    assignments: [assignment(field.alias, virtualExpression(field))],
    span: NOWHERE,
  }))
}

function filtered({ filter }: LegacyRequest, fields: Fields): readonly Operator[] {
  if (filter === undefined) return []
  return [{ kind: 'where', predicate: filterExpression(filter, fields), span: NOWHERE }]
}

function sorted(order: readonly OrderEntry[] = []): readonly Operator[] {
  if (order.length === 0) return []
  return [
    { kind: 'sort', keys: order.map(({ field, desc }) => sortKey(field, desc)), span: NOWHERE },
  ]
}

/** Events always include their times, whether or not they are projected. */
const TIMES = ['_sysTime', '_time']

function shown({ project }: LegacyRequest): readonly Operator[] {
  if (project === undefined) return []
  const named = new Set(project.map(nameOf))
  const times = TIMES.filter((name) => !named.has(name)).map((name) => ({ field: name }))
  const assignments = [...times, ...project].map((one) =>
    assignment(nameOf(one), column(one.field)),
  )
  return [{ kind: 'project', assignments, span: NOWHERE }]
}

function nameOf({ field, alias }: ProjectedField): string {
  return alias ?? field
}

/** The prefix of the names of internal columns. */
function markFor({ groupBy = [] }: LegacyRequest): string {
  let mark = '#'
  while (groupBy.some((field) => field.startsWith(mark))) mark += '#'
  return mark
}

function interval(mark: string) {
  return assignment(`${mark}interval`, call('bin_auto', column('_time')))
}

function summarize(
  { groupBy = [] }: LegacyRequest,
  aggregations: readonly Aggregated[],
  first: readonly ReturnType<typeof interval>[],
): Operator {
  const keys = [...new Set(groupBy)].map((field) => assignment(field, column(field)))
  const aggregates = aggregations.map(({ assignment: own }) => own)
  return { kind: 'summarize', aggregates, by: [...first, ...keys], span: NOWHERE }
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

/**
 * Parses the expression of a virtual field as the only value of a `print`, and returns it as a tree, so that
 * its text cannot inject operators into the query.
 */
function virtualExpression({ alias, expr }: VirtualField): Expression {
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
  return only.value
}
