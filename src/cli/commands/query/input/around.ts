// `evq query -i app.log … -C 3`: reads events in the order of the input, or of their times, and prints matches with the events
// around them.

import { counted } from '../../../../text/integer.js'
import { columnOf, type Table } from '../../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../../wire/json/json-text.js'
import { type LiveEvent, liveContext } from '../../../around/live.js'
import type { Around } from '../../../around/options.js'
import { aroundOutput, passageFormat } from '../../../around/output.js'
import { aroundQuery, markedQuery, UNMATCHED_COLUMN } from '../../../around/source.js'
import { eventsOf } from '../../../around/table.js'
import { UsageError } from '../../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { openPrinter } from '../../../output/printer.js'
import { concludeAssertion } from '../../../query/assertion.js'
import { checkEnd, eventGroups, rowsOf, type Streaming } from './stream.js'

/** The query with marks, and the columns that are not printed. */
interface MarkedQuery {
  readonly apl: string
  readonly hidden: readonly string[]
  /** True when the events are in the order of their times, so that all of them are read before the first one is printed. */
  readonly isByTime: boolean
}

/** Throws a `UsageError` for a query or a flag that needs all events before the first one is printed. */
export async function prepareInputAround(
  { plan, options }: Pick<Streaming, 'plan' | 'options'>,
  { by }: Around,
): Promise<MarkedQuery> {
  const query = await aroundQuery(plan.apl, [...by, UNMATCHED_COLUMN], { hasInput: true })
  const { isByTime } = query.events
  if (!plan.isStream && !isByTime) {
    throw new UsageError(
      '`-A`, `-B` and `-C` show the events of files in their order, so the query can only filter events, select columns and `sort by _time asc`.',
    )
  }
  const { assert, order, cursor, format } = options
  if ([assert, order, cursor, format].some((flag) => flag !== undefined)) {
    throw new UsageError(
      "`--assert`, `--order`, `--cursor` and `--format` can't be combined with `-A`, `-B` and `-C` for files.",
    )
  }
  passageFormat(options)
  const hidden = [...query.matches.added, UNMATCHED_COLUMN, ...(isByTime ? [CURSOR_COLUMN] : [])]
  return { apl: markedQuery(query), hidden, isByTime }
}

export async function printInputAround(
  streaming: Streaming,
  { around, query }: { readonly around: Around; readonly query: MarkedQuery },
): Promise<ExitCode> {
  const { plan, options, request, context, signal, unread } = streaming
  const selection = selectionOf(around, mostMatches(streaming))
  const { columns: _, ...flags } = options
  const isLive = plan.main.patterns.includes('-')
  const output = aroundOutput(
    {
      flags: options,
      hidden: query.hidden,
      isLive,
      signal,
      // The column that marks matches is printed in addition to the selected columns.
      openPrinter: () => (options.openPrinter ?? openPrinter)(flags, context),
    },
    context,
  )
  const marked = { ...streaming, request: { ...request, apl: query.apl } }
  const tables = query.isByTime ? sortedTables(marked) : tablesOfGroups(marked)
  if (query.isByTime) await checkEnd(streaming)
  for await (const table of tables) {
    if (signal.aborted) return EXIT.interrupted
    await output.add(table.fields, selection.of(table))
    if (selection.isComplete()) break
  }
  if (signal.aborted) return EXIT.interrupted
  if (!query.isByTime && !selection.isComplete()) await checkEnd(streaming)
  await output.finish()
  const matches = selection.matches()
  context.info(`${counted(matches, 'match')}, ${counted(unread.events, 'event')} examined`)
  return concludeAssertion({ rows: matches, assertion: undefined }, options, context)
}

/** More than the number of events in a batch. */
const MOST_EVENTS = 10_000_000

/** Yields the rows of a query batch by batch, as the input is read. */
async function* tablesOfGroups(streaming: Streaming): AsyncGenerator<Table, void> {
  const { request, unread } = streaming
  const all = { ...request, defaultLimit: MOST_EVENTS }
  for await (const _ of eventGroups(streaming, () => unread.events)) {
    const { page } = await rowsOf(all, streaming)
    const table = page.table()
    if (table !== undefined) yield table
  }
}

/** The number of stored events that are read at once. */
const PAGE_ROWS = 20_000
const CURSOR_COLUMN = '_cursor'

/** Yields the rows of a query whose events are all stored. */
async function* sortedTables(streaming: Streaming): AsyncGenerator<Table, void> {
  const request = { ...streaming.request, includeCursorField: true, defaultLimit: PAGE_ROWS }
  let cursors: readonly JsonText[] = []
  do {
    const cursor = cursors.at(-1)?.slice(1, -1)
    const { page } = await rowsOf({ ...request, cursor }, streaming)
    const table = page.table()
    if (table === undefined) return
    yield table
    cursors = columnOf(table, CURSOR_COLUMN) ?? []
  } while (cursors.length === PAGE_ROWS)
}

function mostMatches({ plan, options }: Streaming): number {
  return Math.min(plan.limit ?? Number.POSITIVE_INFINITY, options.limit ?? Number.POSITIVE_INFINITY)
}

function selectionOf(around: Around, most: number) {
  const live = liveContext(around)
  let matches = 0
  let following = 0
  return {
    matches: () => matches,
    /** True when no further event can be printed. */
    isComplete: () => matches >= most && around.by.length === 0 && following >= around.after,
    of: (table: Table): readonly LiveEvent[] =>
      eventsOf(table).flatMap((event) => {
        const isFound = (event.get(UNMATCHED_COLUMN) ?? 'null') === 'null'
        const isMatch = isFound && matches < most
        if (isMatch) matches += 1
        following = isMatch ? 0 : following + 1
        return live.add(event, isMatch)
      }),
  }
}
