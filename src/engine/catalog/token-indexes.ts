import { raw, type Sql, sql } from '../../sql/sql.js'
import { LINE, type TokenIndex, tokensOf } from '../../sql/token-index.js'
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
 * Returns indexes over new columns of strings and of arrays, and over `line` unless an index of the dataset covers it. The engine
 * reads all columns of an index with each condition that uses it. So a column has an index of its own, with which a condition reads
 * no column that its query does not read anyway. Two kinds of columns share one index, for searches in all columns: columns beyond
 * `MAX_OWN_INDEXES`, and columns with few distinct values, which are fast to scan and have most values in every granule.
 */
export function newTokenIndexes(
  dataset: Dataset,
  added: readonly IndexedColumn[],
): readonly TokenIndex[] {
  const alike = new Set(
    added.flatMap(({ column, isLowCardinality }) => (isLowCardinality ? [columnName(column)] : [])),
  )
  const strings = added.filter(({ column: { type } }) => type === 'string' || type === 'array')
  const names = strings.map(({ column }) => columnName(column))
  const single = dataset.tokenIndexes.filter(({ columns }) => columns.length === 1)
  const own = names
    .filter((name) => !alike.has(name))
    .slice(0, Math.max(0, MAX_OWN_INDEXES - single.length))
  const shared = names.filter((name) => !own.includes(name))
  const hasText = dataset.tokenIndexes.some(({ columns }) => columns.includes(LINE))
  return [...own.map((name) => [name]), shared, hasText ? [] : [LINE]]
    .filter((columns) => columns.length > 0)
    .map((columns) => ({ columns }))
}

export function withTokenIndexes(dataset: Dataset, indexes: readonly TokenIndex[]): Dataset {
  const { name, paths, columns, former } = dataset
  const tokenIndexes = [...dataset.tokenIndexes, ...indexes]
  return new Dataset(name, { paths, columns, former, tokenIndexes })
}

/**
 * Returns the numbers of indexes by the names of their columns; `others` is the number of indexes that the table has already. The
 * comment of each column keeps its number.
 */
export function tokenIndexNumbers(
  indexes: readonly TokenIndex[],
  others = 0,
): ReadonlyMap<string, number> {
  return new Map(
    indexes.flatMap(({ columns }, i) => columns.map((name) => [name, others + i + 1] as const)),
  )
}

/** Returns the definitions of indexes, each without the word INDEX. */
export function tokenIndexDefinitions(indexes: readonly TokenIndex[], others = 0): readonly Sql[] {
  const type = raw(`bloom_filter(${FALSE_POSITIVES})`)
  return indexes.map(
    (index, i) =>
      sql`${raw(tokenIndexName(others + i + 1))} ${tokensOf(index)} TYPE ${type} GRANULARITY 1`,
  )
}

/** Returns the indexes of a table. `numbers` has the index of each column that has one, in the order of the table. */
export function numberedTokenIndexes(numbers: ReadonlyMap<string, number>): readonly TokenIndex[] {
  const length = Math.max(0, ...numbers.values())
  const names = [...numbers.keys()]
  return Array.from({ length }, (_, i) => ({
    columns: names.filter((name) => numbers.get(name) === i + 1),
  }))
}
