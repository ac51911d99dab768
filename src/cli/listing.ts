import type { Table } from '../wire/query.js'
import type { Context } from './context.js'
import type { PrintFlags } from './output/flags.js'
import { openPrinter } from './output/printer.js'

/** A column of a list of this program's own: its values are of JSON. */
export interface ListColumn {
  readonly name: string
  /** A type of the interface: `string`, `integer`, `boolean`, `datetime`. */
  readonly type: string
  readonly values: readonly unknown[]
}

/** Prints a list as the rows of a query are printed. */
export async function printList(
  columns: readonly ListColumn[],
  context: Context,
  flags: PrintFlags = {},
): Promise<void> {
  const table: Table = {
    name: '0',
    sources: [],
    fields: columns.map(({ name, type }) => ({ name, type })),
    order: [],
    groups: [],
    columns: columns.map(({ values }) => values.map((value) => JSON.stringify(value))),
  }
  const printer = await openPrinter(flags, context)
  try {
    await printer.printTables([table])
  } finally {
    await printer.close()
  }
}
