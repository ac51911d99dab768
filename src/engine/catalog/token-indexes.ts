import { raw, type Sql, sql } from '../../sql/sql.js'
import { LINE, type TokenIndex, tokensOf } from '../../sql/token-index.js'
import { addTo } from '../../text/lists.js'
import type { Engine } from '../engine.js'
import { rowsIn } from '../response.js'
import { Dataset } from './dataset.js'
import { columnName, MAX_COLUMNS, type TypedColumn } from './typed-column.js'

// An index is never changed: columns that are added later get another one. Inserts of the embedded engine do not build them.
//
// Text indexes of ClickHouse (`TYPE text`, split at what is no letter or digit) were measured in place of bloom filters, for a million
// events with messages of 6.6 MB on the disk and unique ids of 14.4 MB. They were rejected: for messages alone they add a fifth to
// the disk, and words in every granule, which gain most, can be searched as bytes.
//
//                                   bloom filter   text index
//   messages: disk                        1.6 MB       7.4 MB
//   messages: a merge                  0.5 CPU s    1.2 CPU s
//   messages: a word of 2 events       16 CPU ms     5 CPU ms
//   messages: a word of 1.7 %         235 CPU ms     5 CPU ms, 90 as bytes
//   ids: disk                             1.4 MB      28.9 MB
//   ids: a merge                       0.3 CPU s    2.0 CPU s

const PREFIX = 'tokens'

/** An upper bound of the indexes of a table: each has a column that no other index has. */
export const MAX_TOKEN_INDEXES = 2 * MAX_COLUMNS

/**
 * The share of granules that are read although they lack the token. The granules of a column with few distinct values are alike:
 * there it is the share of tokens for which all granules are read. A search in all columns reads the granules that any of the
 * indexes does not exclude. Measured for 5 million events and a word that no event has, with 611 granules:
 *
 *                    0.005      0.002      0.001
 *   disk           23.1 MB    25.1 MB    28.9 MB
 *   granules read    2.0 %      0.7 %      0.4 %
 *   CPU              54 ms      44 ms      41 ms
 */
const FALSE_POSITIVES = 0.002

/** Returns the name of the n-th index of a table, from 1. */
export function tokenIndexName(n: number): string {
  return `${PREFIX}${n}`
}

/**
 * The most columns of a dataset with an index of their own. The indexes of a search exclude granules together only when its
 * filters have at most 32 conditions, ANDs and ORs.
 */
const MAX_OWN_INDEXES = 6

interface IndexedColumn {
  readonly column: TypedColumn
  readonly isLowCardinality?: boolean
}

/**
 * Returns indexes over the columns that no index of the dataset covers: the columns of strings and of arrays, and `line`. The engine
 * reads all columns of an index with each condition that uses it. So a column has an index of its own, with which a condition reads
 * no column that its query does not read anyway. Two kinds of columns share one index, for searches in all columns: columns beyond
 * `MAX_OWN_INDEXES`, and columns with few distinct values, which are fast to scan and have most values in every granule.
 */
export function newTokenIndexes(
  dataset: Dataset,
  added: readonly IndexedColumn[],
): readonly TokenIndex[] {
  const covered = new Set(dataset.tokenIndexes.flatMap(({ columns }) => columns))
  const alike = new Set(
    added.flatMap(({ column, isLowCardinality }) => (isLowCardinality ? [columnName(column)] : [])),
  )
  const strings = dataset
    .heldColumns()
    .filter(({ column: { type } }) => type === 'string' || type === 'array')
  const names = strings.map(({ column }) => columnName(column)).filter((name) => !covered.has(name))
  const single = dataset.tokenIndexes.filter(({ columns }) => columns.length === 1)
  const own = names
    .filter((name) => !alike.has(name))
    .slice(0, Math.max(0, MAX_OWN_INDEXES - single.length))
  const shared = names.filter((name) => !own.includes(name))
  const text = covered.has(LINE) ? [] : [[LINE]]
  return [...own.map((name) => [name]), shared, ...text]
    .filter((columns) => columns.length > 0)
    .map((columns) => ({ columns }))
}

export function withTokenIndexes(dataset: Dataset, indexes: readonly TokenIndex[]): Dataset {
  const { name, paths, columns, former } = dataset
  const tokenIndexes = [...dataset.tokenIndexes, ...indexes]
  return new Dataset(name, { paths, columns, former, tokenIndexes })
}

/** Returns the definitions of indexes; `others` is the number of indexes that the table has already. */
export function tokenIndexDefinitions(indexes: readonly TokenIndex[], others = 0): readonly Sql[] {
  return indexes.map((index, i) => definition(index, others + i + 1))
}

function definition(index: TokenIndex, n: number): Sql {
  const type = raw(`bloom_filter(${FALSE_POSITIVES})`)
  return sql`INDEX ${raw(tokenIndexName(n))} ${tokensOf(index)} TYPE ${type} GRANULARITY 1`
}

/** Loads the indexes of all tables by dataset. An index in a form that this program does not write has no columns here. */
export async function loadTokenIndexes(engine: Engine): Promise<Map<string, TokenIndex[]>> {
  const result = await engine.ask(sql`
    SELECT DISTINCT table, name, expr FROM system.data_skipping_indices
    WHERE startsWith(database, 'datasets') AND startsWith(name, 'tokens')
    ORDER BY table, length(name), name`)
  const indexes = new Map<string, TokenIndex[]>()
  for (const { table, expr } of rowsIn(result, 'table', 'expr')) {
    // An index that can't be used keeps its number, which is its name.
    addTo(indexes, table, indexOf(expr) ?? { columns: [] })
  }
  return indexes
}

const NAME = /`((?:[^\\`]|\\.)*)`/gs

/** Returns the index with an expression, as the engine writes it. */
function indexOf(expression: string): TokenIndex | undefined {
  const found = [...expression.matchAll(NAME)].map(([, name = '']) => name.replace(/\\(.)/gs, '$1'))
  const columns = [...new Set(found)]
  const index = { columns: columns.length > 0 ? columns : [LINE] }
  return tokensOf(index).text === expression ? index : undefined
}
