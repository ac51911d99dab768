import type { JsonText } from '../../wire/query.js'
import { formatTimestamp, parseTimestamp } from '../../wire/timestamp.js'
import type { Page } from '../tabular.js'
import { type CellsByName, cellsOf } from './rows.js'
import { jsonObject } from './shape.js'

/** What the columns of an aggregated result are. */
export interface Roles {
  readonly keys: readonly string[]
  readonly aggregations: readonly AggregationRole[]
}

/** A column with the values of an aggregation, and how the answer shows it. */
export interface AggregationRole {
  readonly column: string
  readonly label: string
  readonly shape?: (value: JsonText) => JsonText
}

/** The groups of a page: of the whole time, or of its intervals. */
export interface Groups {
  readonly cells: CellsByName
  /** What tells each row's group from the others. */
  readonly names: readonly string[]
}

/** Reads the groups out of a page. */
export function groupsOf(page: Page, { keys }: Roles): Groups {
  const cells = cellsOf(page)
  const names = Array.from({ length: page.rows }, (_, row) =>
    JSON.stringify(keys.map((key) => cells.get(key)?.[row])),
  )
  return { cells, names }
}

/** The JSON text of `totals`; a group has its place among them as its `id`. */
export function totalsText({ cells, names }: Groups, roles: Roles): JsonText {
  const texts = names.map((_, row) => groupText({ id: row, cells, row, roles }))
  return `[${texts.join(',')}]`
}

/** The time column of a series and how long its intervals are, in nanoseconds. */
export interface Intervals {
  readonly column: string
  readonly size: bigint
  readonly isNewestFirst: boolean
}

/** The JSON text of `series`: in each interval, those groups that the totals have, in their order. */
export function seriesText(
  { cells, names }: Groups,
  options: { readonly totals: Groups; readonly roles: Roles; readonly intervals: Intervals },
): JsonText {
  const { totals, roles, intervals } = options
  const ids = new Map(totals.names.map((name, id) => [name, id]))
  const rowsByTime = new Map<JsonText, { readonly id: number; readonly row: number }[]>()
  for (const [row, name] of names.entries()) {
    const id = ids.get(name)
    const time = cells.get(intervals.column)?.[row]
    if (id === undefined || time === undefined || time === 'null') continue
    const rows = rowsByTime.get(time) ?? []
    rowsByTime.set(time, rows)
    rows.push({ id, row })
  }
  const texts = inTime([...rowsByTime], intervals).map(([start, rows]) =>
    jsonObject([...bounds(start, intervals), ['groups', groupTexts(rows, { cells, roles })]]),
  )
  return `[${texts.join(',')}]`
}

function groupTexts(
  rows: readonly { readonly id: number; readonly row: number }[],
  { cells, roles }: { readonly cells: CellsByName; readonly roles: Roles },
): JsonText {
  const inOrder = [...rows].sort((a, b) => a.id - b.id)
  return `[${inOrder.map((one) => groupText({ ...one, cells, roles })).join(',')}]`
}

function inTime<Rows>(
  found: readonly (readonly [JsonText, Rows])[],
  { isNewestFirst }: Intervals,
): readonly (readonly [bigint, Rows])[] {
  const timed = found.map(([time, rows]) => [instant(time), rows] as const)
  const sorted = timed.sort(([a], [b]) => (a < b ? -1 : 1))
  return isNewestFirst ? sorted.reverse() : sorted
}

function instant(time: JsonText): bigint {
  const found = parseTimestamp(JSON.parse(time) as string)
  if (found === undefined) throw new Error(`the engine gave ${time} as the time of an interval`)
  return found
}

function bounds(start: bigint, { size }: Intervals): readonly (readonly [string, JsonText])[] {
  const time = (of: bigint) => JSON.stringify(formatTimestamp(of))
  return [
    ['startTime', time(start)],
    ['endTime', time(start + size)],
  ]
}

function groupText(options: {
  readonly id: number
  readonly cells: CellsByName
  readonly row: number
  readonly roles: Roles
}): JsonText {
  const { id, cells, row, roles } = options
  const cell = (name: string) => cells.get(name)?.[row] ?? 'null'
  const aggregations = roles.aggregations.map(({ column, label, shape }) => {
    const value = shape === undefined ? cell(column) : shape(cell(column))
    return jsonObject([
      ['op', JSON.stringify(label)],
      ['value', value],
    ])
  })
  return jsonObject([
    ['id', String(id)],
    ['group', jsonObject(roles.keys.map((key) => [key, cell(key)]))],
    ['aggregations', `[${aggregations.join(',')}]`],
  ])
}

/** Of groups over the whole time, those that stand in an interval too, and in the order there. */
export function within(all: Groups, { names }: Groups): Groups {
  const rows = new Map(all.names.map((name, row) => [name, row]))
  const kept = [...new Set(names)].flatMap((name) => rows.get(name) ?? [])
  return {
    names: kept.map((row) => all.names[row]!),
    cells: new Map(
      [...all.cells].map(([name, cells]) => [name, kept.map((row) => cells[row] ?? 'null')]),
    ),
  }
}
