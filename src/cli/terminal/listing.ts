import { layOutTable } from '../../render/table-layout.js'
import type { Table } from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { formatOf, type PrintFlags } from '../output/flags.js'
import { openPrinter } from '../output/printer.js'

/** A column of a list that this program makes, with JSON values. */
export interface ListColumn {
  readonly name: string
  /** A type of the interface: `string`, `integer`, `boolean`, `datetime`; or `id`, which is never cut because users copy it. */
  readonly type: string
  readonly values: readonly unknown[]
  /** True when a table may omit the column on a narrow terminal. */
  readonly isSpare?: boolean
}

/** Prints a list like the rows of a query. */
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

/** True when the width of the terminal selects the columns. */
function isFitted(flags: PrintFlags, { io }: Context): boolean {
  const isTable = (formatOf(flags) ?? 'table') === 'table'
  return isTable && io.stdout.isTTY === true && flags.out === undefined && !flags.columns
}

/** Returns the columns that fit on the terminal, or all columns when omitting spare ones is not enough. */
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
  if (left.length > 0)
    info(`The terminal is too narrow for ${left.join(', ')}. \`-o record\` shows all columns.`)
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
