import { counted } from '../../../text/integer.js'
import { isRegularFile } from '../../../text/regular-file.js'
import type { Table } from '../../../wire/http/tabular-result.js'
import { eventTable, withMatchColumn } from '../../around/table.js'
import type { Context } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import { expandTilde } from '../../file/home-directory.js'
import { spareInputs } from '../../file/spare-inputs.js'
import { isOutputFile } from '../../output/flags.js'
import { openPrinter } from '../../output/printer.js'
import { aplOf, contextOf, type ViewQuery } from './query.js'
import type { HeldRows } from './row.js'
import type { Place, RowSource } from './row-source.js'
import type { RequestOf } from './state.js'
import type { ViewTarget } from './target.js'

interface SaveOptions {
  readonly target: ViewTarget
  readonly source: RowSource
  readonly signal: AbortSignal
}

/** Writes the rows of a query to a file, whose extension selects the format. Returns a sentence about what was written. */
export async function saveRows(
  { file: written, replaces, query, limit }: RequestOf<'save'>,
  { target, source, signal }: SaveOptions,
  context: Context,
): Promise<string> {
  if (!isOutputFile(written)) throw new UsageError('Standard output is this screen. Name a file.')
  const file = expandTilde(written, context.io.env)
  const inputs = target.kind === 'files' ? target.files : []
  await spareInputs({ o: file }, inputs, context.io)
  if (!replaces && isRegularFile(file)) {
    throw new UsageError(`\`${written}\` exists. Enter replaces it.`)
  }
  const printer = await openPrinter({ out: file }, context)
  try {
    if (contextOf(query) === 0) {
      const response = await source.response(aplOf(query), limit, signal)
      const { rows } = await printer.printResponse(response)
      return `${counted(rows, 'row')} in ${file}`
    }
    const held = await passagesIn(source, query, signal)
    await printer.printTables([markedTable(held)])
    return `${counted(held.items.length, 'row')} in ${file}`
  } finally {
    await printer.close()
  }
}

/** The number of events that are read at once. */
const PASSAGE_ROWS = 10_000

/** Reads all matches of a query and the events around them. */
async function passagesIn(
  source: RowSource,
  query: ViewQuery,
  signal: AbortSignal,
): Promise<HeldRows> {
  const next = (place: Place) => source.page({ query, place, limit: PASSAGE_ROWS }, signal)
  let page = await next({ kind: 'start' })
  const items = [...page.rows]
  const columns = new Map(page.columns.map((column) => [column.name, column]))
  while (!page.hasEnd) {
    page = await next({ kind: 'after', cursor: items.at(-1)!.cursor! })
    items.push(...page.rows)
    for (const column of page.columns) columns.set(column.name, column)
  }
  return { items, columns: [...columns.values()] }
}

/** Returns rows as `evq query -C` prints them: a column distinguishes matches from the events around them. */
function markedTable({ items, columns }: HeldRows): Table {
  const events = items.map(({ cells, isBeside = false }) => ({ event: cells, isMatch: !isBeside }))
  return withMatchColumn(eventTable(events, { fields: columns, hidden: [] }), events)
}
