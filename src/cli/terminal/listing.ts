import { layOutTable } from '../../render/table-layout.js'
import type { Table } from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { shortBytes } from '../option/quantity.js'
import { formatOf, type PrintFlags } from '../output/flags.js'
import { openPrinter } from '../output/printer.js'

export interface ListColumn<Row> {
  readonly name: string
  /**
   * A type of the interface, by default `string`; `id`, which is never cut because users copy it; or `bytes`, an integer that is
   * shown with a unit on a terminal.
   */
  readonly type?: 'integer' | 'boolean' | 'datetime' | 'id' | 'bytes'
  /** Returns the JSON value of a row; undefined stands for null. */
  of(row: Row): unknown
  /** True when a table may omit the column on a narrow terminal. */
  readonly isSpare?: boolean
}

interface List<Row> {
  readonly rows: readonly Row[]
  readonly columns: readonly ListColumn<Row>[]
}

/** Prints a list like the rows of a query. */
export async function printList<Row>(
  list: List<Row>,
  context: Context,
  flags: PrintFlags = {},
): Promise<void> {
  const printer = await openPrinter(flags, context)
  const format = formatOf(flags) ?? 'table'
  const isOnTerminal = context.io.stdout.isTTY === true && flags.out === undefined
  const isFitted = isOnTerminal && format === 'table' && !flags.columns
  const isReadable = isOnTerminal && (format === 'table' || format === 'record')
  const shown = isReadable ? { ...list, columns: list.columns.map(withUnit) } : list
  try {
    await printer.printTables([listTable(isFitted ? fitToTerminal(shown, context) : shown)])
  } finally {
    await printer.close()
  }
}

function withUnit<Row>(column: ListColumn<Row>): ListColumn<Row> {
  if (column.type !== 'bytes') return column
  const { type: _, ...others } = column
  return { ...others, of: (row) => shortBytes(Number(column.of(row))) }
}

/** Returns the list with the columns that fit on the terminal, or all columns when omitting spare ones is not enough. */
function fitToTerminal<Row>(list: List<Row>, { io, info }: Context): List<Row> {
  let kept = list
  const left: string[] = []
  while (layOutTable(listTable(kept), { header: true, width: io.stdout.columns }) === undefined) {
    const spare = kept.columns.findLast(({ isSpare }) => isSpare === true)
    if (spare === undefined) return list
    kept = { ...list, columns: kept.columns.filter((column) => column !== spare) }
    left.unshift(`\`${spare.name}\``)
  }
  if (left.length > 0)
    info(`The terminal is too narrow for ${left.join(', ')}. \`-o record\` shows all columns.`)
  return kept
}

export function listTable<Row>({ rows, columns }: List<Row>): Table {
  return {
    name: '0',
    sources: [],
    fields: columns.map(({ name, type = 'string' }) => ({
      name,
      type: type === 'bytes' ? 'integer' : type,
    })),
    order: [],
    groups: [],
    columns: columns.map(({ of }) => rows.map((row) => JSON.stringify(of(row) ?? null))),
  }
}
