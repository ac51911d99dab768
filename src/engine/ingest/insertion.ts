import { basename } from 'node:path'
import { identifier, list, raw, type Sql, sql, text } from '../../sql/sql.js'
import { memoized } from '../../text/memoized.js'
import { pathKey } from '../../wire/json/field-path.js'
import { readLeaves } from '../../wire/json/json-line.js'
import { hashSql, hexOf } from '../batch-hash.js'
import type { Dataset } from '../catalog/dataset.js'
import { columnName, nullableType } from '../catalog/typed-column.js'
import type { FileColumn, FileStatement, NumberRange, RowSource } from '../file-statement.js'
import { fileColumns, isHeld } from './event-fields.js'
import { blockLayout } from './scan/joined-blocks.js'
import { type ConstantColumn, int64 } from './scan/native-block.js'
import { blockColumns } from './scan/scan-columns.js'

interface Insertion {
  readonly dataset: Dataset
  /** The fields added to each event, as members of a JSON object without braces. */
  readonly labels: string | undefined
  /** The difference between the sequence numbers of consecutive lines. */
  readonly step: bigint
  readonly files: readonly InsertionFile[]
}

export interface InsertionFile {
  readonly path: string
  readonly rows: number
  /** Undefined when the rows are from several batches and have these values in columns; then it is the only file. */
  readonly batch: BatchValues | undefined
  readonly numbers: NumberRange
}

/** The values that all rows of a batch have in common. */
export interface BatchValues {
  readonly arrivedAt: bigint
  /** The sequence number of line 0 of its file. */
  readonly first: bigint
  /** Stored with each row; 0 for a batch without an id. */
  readonly batchHash: bigint
}

export function batchColumns(batch: BatchValues): readonly ConstantColumn[] {
  const hash = Buffer.from(hexOf(batch.batchHash), 'hex')
  // From 2039 on, sequence numbers need all 64 bits.
  const values = [int64(batch.arrivedAt), int64(BigInt.asIntN(64, batch.first)), hash]
  return BATCH_COLUMNS.map((column, i) => ({ ...column, value: values[i]! }))
}

const BATCH_COLUMNS = [
  { name: 'arrived', type: "DateTime64(9, 'UTC')" },
  { name: 'first', type: 'UInt64' },
  { name: 'batch', type: 'FixedString(16)' },
]

// A block becomes one part, which is visible completely or not at all.
const ONE_PART = sql`
  async_insert = 0, max_insert_threads = 1,
  min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 100000000000`

/** Indexes exclude granules: a part of one granule gains nothing from their files, each of which takes a call of `fsync`. */
const GRANULE_ROWS = 8192
const NO_INDEXES = sql`, materialize_skip_indexes_on_insert = 0`

const FIXED_COLUMNS = ['_time', '_sysTime', '_seq', '_batch', 'line'].map(identifier)

/** Returns a statement that stores all events of the files as one part. */
export function insertStatement(insertion: Insertion): FileStatement {
  const { dataset, files } = insertion
  const batches = files.flatMap(({ batch }) => batch ?? [])
  return {
    files: files.map(({ path, rows }) => ({ path, rows })),
    columns: batches.length === 0 ? sharedColumns(dataset) : scannedColumns(dataset),
    stores: {
      dataset: dataset.name,
      batchHash: batches.length === 1 ? batches[0]?.batchHash : undefined,
      numbers: files.map(({ numbers }) => numbers),
    },
    write: (source) => insert(insertion, source),
  }
}

function scannedColumns(dataset: Dataset): readonly FileColumn[] {
  return blockColumns(fileColumns(dataset).scanned)
}

/** The columns of a file with rows of several batches. */
function sharedColumns(dataset: Dataset): readonly FileColumn[] {
  return [...scannedColumns(dataset), ...BATCH_COLUMNS]
}

/** Returns the layout of the blocks that the scan writes. */
export const scannedLayout = memoized((dataset: Dataset) => blockLayout(scannedColumns(dataset)))

/** Returns the layout of blocks with the values of batches. */
export const sharedLayout = memoized((dataset: Dataset) => blockLayout(sharedColumns(dataset)))

function insert({ dataset, labels, step, files }: Insertion, source: RowSource): Sql {
  const typed = fileColumns(dataset).list
  const added = labelValues(dataset, labels)
  const values = typed.map(({ path }, i) => added.columns.get(pathKey(path)) ?? raw(`c${i}`))
  const columns = typed.map(({ column }) => identifier(columnName(column)))
  const indexes = source.leavesIndexes && isOneGranule(files) ? NO_INDEXES : sql``
  return sql`
    INSERT INTO ${identifier(dataset.name)} (${list([...FIXED_COLUMNS, ...columns])})
    SELECT ${list([sql`time`, ...batchValues(files, { step, file: source.file }), withMembers(added.rest), ...values])}
    FROM ${source.rows}
    SETTINGS ${ONE_PART}, max_threads = ${source.threads}${indexes}`
}

function isOneGranule(files: readonly InsertionFile[]): boolean {
  return files.reduce((sum, { rows }) => sum + rows, 0) <= GRANULE_ROWS
}

/** Returns the values of `_sysTime`, `_seq` and `_batch`. `file` is the name of the file of a row. */
function batchValues(
  files: readonly InsertionFile[],
  { step, file }: { readonly step: bigint; readonly file: Sql },
): readonly Sql[] {
  const batches = files.flatMap(({ batch }) => batch ?? [])
  const rows = step === 1n ? sql`row` : sql`row * ${step}`
  if (batches.length === 0) return [sql`arrived`, sql`first + ${rows}`, sql`batch`]
  const names = list(files.map(({ path }) => text(basename(path))))
  const value = (of: (batch: BatchValues) => Sql): Sql => {
    const [first, ...others] = batches.map(of)
    if (others.length === 0) return first!
    return sql`transform(${file}, [${names}], [${list([first!, ...others])}], ${first!})`
  }
  return [
    sql`fromUnixTimestamp64Nano(toInt64(${value(({ arrivedAt }) => sql`${arrivedAt}`)}), 'UTC')`,
    sql`toUInt64(${value((batch) => sql`${batch.first}`)}) + ${rows}`,
    value(({ batchHash }) => hashSql(batchHash)),
  ]
}

interface LabelValues {
  /** The values of columns, by the key of their path. */
  readonly columns: ReadonlyMap<string, Sql>
  /** The labels that no column holds, as members of a JSON object. */
  readonly rest: readonly string[]
}

/** Returns the values of labels, which the dataset must expect. */
function labelValues(dataset: Dataset, labels = ''): LabelValues {
  const typed = fileColumns(dataset).byPath
  const columns = new Map<string, Sql>()
  const rest: string[] = []
  for (const leaf of readLeaves(`{${labels}}`)) {
    const { path, form, text: written } = leaf
    const [key = ''] = path
    const value = form === 'string' ? JSON.stringify(written) : written
    const own = typed.get(pathKey(path))
    if (own === undefined || !isHeld(own, leaf)) rest.push(`${JSON.stringify(key)}:${value}`)
    else {
      const label = text(`{"v":${value}}`)
      columns.set(
        pathKey(path),
        sql`JSONExtract(${label}, 'v', ${text(nullableType(own.column.type))})`,
      )
    }
  }
  return { columns, rest }
}

/** Returns the remainder of an event with more members in front of it. */
function withMembers(members: readonly string[]): Sql {
  if (members.length === 0) return sql`line`
  const all = members.join(',')
  const rest = sql`trimLeft(substring(line, 2))`
  return sql`multiIf(empty(line), ${text(`{${all}}`)}, startsWith(${rest}, '}'), concat(${text(`{${all}`)}, ${rest}), concat(${text(`{${all},`)}, ${rest}))`
}
