// Converts legacy responses to tables, so that they can be rendered like tabular ones.

import { type JsonText, jsonType } from '../json/json-text.js'
import type { LegacyGroup, LegacyInterval, LegacyMatch, LegacyResult } from './legacy-result.js'
import type { Table, TableField } from './tabular-result.js'

/** Returns the events with their metadata, one row each. */
export function matchesTable({ matches, types }: LegacyResult): Table {
  const rows = matches.map(({ metadata, data }: LegacyMatch) => [...metadata, ...data])
  return table(rows, types)
}

/** Returns one row per group, over the whole time range. */
export function totalsTable({ totals, types }: LegacyResult): Table {
  return { ...table(totals.map(cellsOf), types), groups: groupNames(totals) }
}

/** Returns one row per group and interval, with the start of the interval as `_time`. */
export function seriesTable({ series, types }: LegacyResult): Table {
  const rows = series.flatMap(({ startTime, groups }: LegacyInterval) =>
    groups.map((group): Row => [['_time', startTime], ...cellsOf(group)]),
  )
  const known = new Map([...types, ['_time', 'datetime'] as const])
  return { ...table(rows, known), groups: groupNames(series.flatMap(({ groups }) => groups)) }
}

type Row = readonly (readonly [string, JsonText])[]

/** Returns the cells of a group. Several aggregations of the same name become `AVG`, `AVG_2` and so on. */
function cellsOf({ group, aggregations }: LegacyGroup): Row {
  const cells = new Map(group)
  for (const { op, value } of aggregations) {
    let name = op
    for (let more = 2; cells.has(name); more += 1) name = `${op}_${more}`
    cells.set(name, value)
  }
  return [...cells]
}

function groupNames(groups: readonly LegacyGroup[]): Table['groups'] {
  return [...new Set(groups.flatMap(({ group }) => [...group.keys()]))].map((name) => ({ name }))
}

/** Builds a table from rows with different fields. Columns without a value are omitted. */
function table(rows: readonly Row[], types: ReadonlyMap<string, string>): Table {
  const cells = rows.map((row) => new Map(row))
  const columns = namesOf(rows)
    .map((name) => [name, cells.map((row) => row.get(name) ?? 'null')] as const)
    .filter(([, values]) => values.some((value) => value !== 'null'))
  const fields = columns.map(
    ([name, values]): TableField => ({ name, type: typeOf(name, values, types) }),
  )
  return {
    name: '0',
    sources: [],
    fields,
    order: [],
    groups: [],
    columns: columns.map(([, values]) => values),
  }
}

/** Returns the names in the order of the rows. A name that occurs only in later rows is placed after its predecessor in them. */
function namesOf(rows: readonly Row[]): readonly string[] {
  const names: string[] = []
  const known = new Set<string>()
  for (const row of rows) {
    for (const [i, [name]] of row.entries()) {
      if (known.has(name)) continue
      known.add(name)
      const before = i === 0 ? undefined : row[i - 1]?.[0]
      names.splice(before === undefined ? 0 : names.indexOf(before) + 1, 0, name)
    }
  }
  return names
}

const TIMES: readonly string[] = ['_time', '_sysTime']

function typeOf(
  name: string,
  values: readonly JsonText[],
  types: ReadonlyMap<string, string>,
): string {
  const known = TIMES.includes(name) ? 'datetime' : types.get(name)
  if (known) return known
  const found = new Set(values.filter((value) => value !== 'null').map(jsonType))
  return [...found].sort().join('|')
}
