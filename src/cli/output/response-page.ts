import { createHash } from 'node:crypto'
import { type Page, type RowRange, rowsIn } from '../../client/pages/page.js'
import type { PageBody } from '../../client/query.js'
import type { RowColumns } from '../../local/parquet.js'
import { columnCells, columnValues, markedCells } from '../../render/transpose/rows.js'
import {
  cellOf,
  cellsOf,
  readResponse,
  type ScannedResponse,
  scanNativeResponse,
  writtenResponse,
} from '../../render/transpose/scan-response.js'
import { MalformedResponseError } from '../../wire/http/response-json.js'
import type { QueryStatus, Table } from '../../wire/http/tabular-result.js'
import type { TimeZone } from '../../wire/time/time-zone.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'
import { UsageError } from '../error/usage-error.js'
import { shownTable } from './columns.js'

const ID_COLUMNS = ['_rowId', '_cursor']

/** A table of a response, whose values are read from the bytes of the response. A page of an export has one table. */
export class ResponsePage implements Page {
  readonly response: ScannedResponse
  readonly names: readonly string[]
  readonly rows: number
  readonly isBounded: boolean
  /** The position of the table in the response. */
  readonly index: number
  private readonly time: number
  private readonly identity: number | undefined

  private constructor(response: ScannedResponse, index = 0) {
    this.response = response
    this.index = index
    // The pages of a scan are in the format Native.
    this.isBounded = response.tables[index]?.native !== undefined
    this.rows = response.tables[index]?.rows ?? 0
    this.names = response.result.tables[index]?.fields.map(({ name }) => name) ?? []
    this.time = this.names.indexOf('_time')
    const identity = ID_COLUMNS.find((name) => this.names.includes(name))
    this.identity = identity === undefined ? undefined : this.names.indexOf(identity)
  }

  /** Reads a page. With `isExpanding`, the number of matched events is ignored, because it is not the number of rows. */
  static read({ form, body }: PageBody, { isExpanding = false } = {}): ResponsePage {
    const response = form === 'native' ? scanNativeResponse(body) : readResponse(body)
    if (!isExpanding) return new ResponsePage(response)
    const status = { ...response.result.status, rowsMatched: 0 }
    return new ResponsePage({ ...response, result: { ...response.result, status } })
  }

  static eachOf(response: ScannedResponse): readonly ResponsePage[] {
    return response.tables.map((_, index) => new ResponsePage(response, index))
  }

  get bytes(): number {
    return this.response.body.length
  }

  get status(): QueryStatus {
    return this.response.result.status
  }

  timeOf(row: number): bigint {
    if (this.time === -1) {
      throw new UsageError(
        'The rows have no `_time`, which paging needs. Keep it in the query and select columns with `--columns`, or use `--by cursor`.',
      )
    }
    const text = this.cell(row, this.time).toString('latin1')
    const time = parseTimestamp(text.slice(1, -1))
    if (time !== undefined) return time
    throw new MalformedResponseError(`the \`_time\` of a row is \`${text.slice(0, 40)}\``)
  }

  identityOf(row: number): string {
    if (this.identity !== undefined) return this.cell(row, this.identity).toString('latin1')
    const hash = createHash('sha256')
    // A null field may be absent from another page, and a new field is null in older rows.
    const cells = cellsOf(this.response, { table: this.index, row })
    for (const [column, name] of this.names.entries()) {
      const cell = cells[column]!
      if (cell !== 'null') hash.update(`${name}\0${cell.length}\0`).update(cell, 'latin1')
    }
    return hash.digest('base64').slice(0, 24)
  }

  count(): number | undefined {
    if (this.rows !== 1 || this.names.length !== 1) return undefined
    const count = Number(this.cell(0, 0).toString('latin1'))
    return Number.isSafeInteger(count) ? count : undefined
  }

  table(): Table | undefined {
    const table = this.response.result.tables[this.index]
    const { response, index } = this
    const columns = this.names.map((_, column) => columnCells(response, { table: index, column }))
    return table && { ...table, columns }
  }

  /** Returns the columns with these names, without the names that the page does not have. */
  columnsOf(names: readonly string[], ranges: readonly RowRange[]): RowColumns {
    const { response, index: table } = this
    const fields = response.result.tables[table]?.fields ?? []
    const rows = rowsIn(ranges)
    const positionOf = (name: string) => this.names.indexOf(name)
    return {
      rows,
      fields: names.flatMap((name) => fields[positionOf(name)] ?? []),
      *linesOf(names) {
        const columns = names.map(positionOf)
        for (const range of ranges) yield* markedCells(response, { table, columns, ...range })
      },
      valuesOf: (name) =>
        rows === this.rows
          ? columnValues(response, { table, column: positionOf(name) })
          : undefined,
    }
  }

  /** Returns the rows with these columns. Columns that the page does not have are null. */
  withColumns(names: readonly string[]): ResponsePage {
    const table = this.table()
    if (table === undefined) return this
    const nulls = Array.from({ length: this.rows }, () => 'null')
    const positions = names.map((name) => this.names.indexOf(name))
    const fields = names.map((name, i) => table.fields[positions[i]!] ?? { name, type: '' })
    const columns = positions.map((position) => table.columns[position] ?? nulls)
    return this.replacedBy({ ...table, fields, columns })
  }

  inTimeZone(timezone: TimeZone): ResponsePage {
    const table = this.table()
    return table === undefined ? this : this.replacedBy(shownTable(table, { timezone }))
  }

  private replacedBy(table: Table): ResponsePage {
    return new ResponsePage(writtenResponse({ ...this.response.result, tables: [table] }))
  }

  private cell(row: number, column: number): Buffer {
    return cellOf(this.response, { table: this.index, column, row })
  }
}
