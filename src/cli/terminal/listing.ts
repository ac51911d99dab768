import { layOutTable } from '../../render/table-layout.js'
import type { Table } from '../../wire/http/query.js'
import type { Context } from '../context.js'
import { formatOf, type PrintFlags } from '../output/flags.js'
import { openPrinter } from '../output/printer.js'

/** A column of a list of this program's own: its values are of JSON. */
export interface ListColumn {
  readonly name: string
  /** A type of the interface: `string`, `integer`, `boolean`, `datetime`; or `id`, a text that is copied whole. */
  readonly type: string
  readonly values: readonly unknown[]
  /** Whether a table can do without it where a terminal has no room for all. */
  readonly isSpare?: boolean
}

/** Prints a list as the rows of a query are printed. */
export async function printList(
  columns: readonly ListColumn[],
  context: Context,
  flags: PrintFlags = {},
): Promise<void> {
  const printer = await openPrinter(flags, context)
  try {
    await printer.printTables([
      tableOf(isFitted(flags, context) ? fitToTerminal(columns, context) : columns),
    ])
  } finally {
    await printer.close()
  }
}

/** Whether nobody but the width of a terminal says which columns there are. */
function isFitted(flags: PrintFlags, { io }: Context): boolean {
  const isTable = (formatOf(flags) ?? 'table') === 'table'
  return isTable && io.stdout.isTTY === true && flags.out === undefined && !flags.columns
}

/** The columns that a terminal has room for; all of them where leaving some out does not help. */
function fitToTerminal(
  columns: readonly ListColumn[],
  { io, info }: Context,
): readonly ListColumn[] {
  let kept = columns
  const left: string[] = []
  while (layOutTable(tableOf(kept), { header: true, width: io.stdout.columns }) === undefined) {
    const spare = kept.findLast(({ isSpare }) => isSpare === true)
    if (spare === undefined) return columns
    kept = kept.filter((column) => column !== spare)
    left.unshift(`\`${spare.name}\``)
  }
  if (left.length > 0) info(`There is no room for ${left.join(', ')}; \`-o record\` shows all.`)
  return kept
}

function tableOf(columns: readonly ListColumn[]): Table {
  return {
    name: '0',
    sources: [],
    fields: columns.map(({ name, type }) => ({ name, type })),
    order: [],
    groups: [],
    columns: columns.map(({ values }) => values.map((value) => JSON.stringify(value))),
  }
}
