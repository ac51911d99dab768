import { raw, type Sql, sql, text } from '../../sql/sql.js'
import { pathKey } from '../../wire/json/field-path.js'
import type { Dataset } from '../catalog/dataset.js'
import { storedType } from '../catalog/typed-column.js'
import type { StoredRows } from './plain-rows.js'
import type { ScanColumn } from './scan/scan-columns.js'

// A scan has written the values of plain events as columns: the engine parses no text.

interface ColumnRowsOptions {
  readonly dataset: Dataset
  /** The fields added to each event, as members of a JSON object without braces. */
  readonly labels: string | undefined
  /** The columns of the files. In others, no event has a value. */
  readonly columns: readonly ScanColumn[]
  /** A table expression for the rows of the files. */
  readonly rows: Sql
  /** The name of the file of a row. */
  readonly file: Sql
}

/** Returns the rows of files of columns. */
export function columnRows({
  dataset,
  labels,
  columns,
  rows,
  file,
}: ColumnRowsOptions): StoredRows {
  const values = new Map([...columnValues(columns), ...labelValues(dataset, labels)])
  const typed = dataset.typedPaths().map(({ column, known: { path } }) => ({
    column,
    value: values.get(pathKey(path)) ?? sql`NULL`,
  }))
  return {
    rows: sql`SELECT *, ${file} AS file FROM ${rows}`,
    typed,
    storedLine: sql`''`,
  }
}

type Values = readonly (readonly [key: string, value: Sql])[]

function columnValues(columns: readonly ScanColumn[]): Values {
  return columns.map(({ path }, i) => [pathKey(path), raw(`c${i}`)])
}

/** The labels have been checked: each has the type of its column. */
function labelValues(dataset: Dataset, labels = ''): Values {
  const event = `{${labels}}`
  const names = new Set(Object.keys(JSON.parse(event)))
  return dataset.typedPaths().flatMap(({ column, known: { path } }) => {
    const [name = ''] = path
    if (path.length !== 1 || !names.has(name)) return []
    const type = storedType(column.type, { isLowCardinality: false }).text
    return [[pathKey(path), sql`JSONExtract(${text(event)}, ${text(name)}, ${text(type)})`]]
  })
}
