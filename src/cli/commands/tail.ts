import { Command } from 'commander'
import { REMOTE_LATENESS_MS, TAIL_INTERVAL_MS } from '../../client/limits.js'
import { type StarredQueries, starredQueries } from '../../client/starred.js'
import type { Needle } from '../../render/highlight.js'
import { orAborted } from '../../text/abort.js'
import type { Table } from '../../wire/http/tabular-result.js'
import { type EventFlags, eventPrinter, TAIL_FORMATS } from '../around/event-printer.js'
import { liveContext } from '../around/live.js'
import { type Around, type AroundFlags, addAroundOptions, aroundOf } from '../around/options.js'
import { aroundQuery, markedQuery, UNMATCHED_COLUMN } from '../around/source.js'
import { eventsOf, eventTable } from '../around/table.js'
import { withConnection } from '../connection/with-connection.js'
import { type Context, clock } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { choiceOption, countOption, namesOption } from '../option/option.js'
import { type Params, paramOption } from '../option/param.js'
import { durationOption } from '../option/quantity.js'
import { parseTime } from '../option/time.js'
import { timeZoneOption } from '../option/time-zone.js'
import { closedReader } from '../terminal/closed-reader.js'
import { findStarred } from './starred/find.js'
import { lastArrival, queryFor } from './tail/apl.js'
import { queryRunner } from './tail/ask.js'
import { follow } from './tail/follow.js'
import { needleOf, rowsWithText, withText, withTextIn } from './tail/grep.js'

interface TailOptions extends EventFlags, AroundFlags {
  /** A dataset's name, or a query. */
  readonly what?: string | undefined
  /** The id or name of a saved query to follow instead. */
  readonly starred?: string
  /** A text that events must contain. */
  readonly grep?: string
  readonly since?: string
  readonly lines?: number
  readonly param?: Params
  /** Milliseconds. */
  readonly interval?: number
  /** Milliseconds. */
  readonly late?: number
}

export function tailCommand(context: Context): Command {
  const command = new Command('tail')
    .description(
      'Prints the events of a dataset or a query as they arrive, until Ctrl-C: as text on a terminal, NDJSON in a pipe.',
    )
    .argument('[dataset or apl]', 'a dataset, or a query that filters one')
    .optionsGroup('Start options:')
    .option('--since <time>', 'start with the events since then, e.g. 10m, 1h or today')
    .addOption(countOption('-n, --lines <n>', 'start with the newest n events'))
    .optionsGroup('Query options:')
    .option('--starred <name>', 'follow a saved query, by its name or id')
    .option(
      '--grep <text>',
      'only events with this text in any field; case-sensitive if it has upper-case letters',
    )
    .addOption(paramOption())
    .addOption(
      durationOption('--interval <duration>', 'how often to poll for new events', TAIL_INTERVAL_MS),
    )
    .addOption(
      durationOption(
        '--late <duration>',
        'the maximum age of an event when it arrives (default: unlimited; 1d with --url)',
      ),
    )
  return addAroundOptions(command)
    .optionsGroup('Output options:')
    .addOption(choiceOption('-o, --output <format>', TAIL_FORMATS.join(', '), TAIL_FORMATS))
    .addOption(namesOption('--columns <names>', 'only these columns, in this order: a,b,c'))
    .addOption(timeZoneOption('time zone: Europe/Berlin, +02:00, local (UTC)'))
    .addHelpText('after', () => examples(TAIL_EXAMPLES))
    .action(async (what: string | undefined, flags: Omit<TailOptions, 'what'>) =>
      context.finish(await runTail({ what, ...flags }, context)),
    )
}

const TAIL_EXAMPLES = [
  'evq tail logs',
  `evq tail "['logs'] | where level == 'error'" --since 10m`,
  `evq tail logs -n 20 | jq -r .message`,
]

async function runTail(options: TailOptions, context: Context): Promise<ExitCode> {
  const { io, debug } = context
  const { since, timezone: zone } = options
  const now = clock(io)
  const from = since === undefined ? undefined : parseTime(since, { now: now(), zone })
  const closed = await closedReader(io.stdout)
  const ended = withConnection(context, async ({ settings, connection, interrupt }) => {
    debug(`Following events at ${connection.name}.`)
    const { exitCode } = interrupt
    const signal = AbortSignal.any([interrupt.signal, closed])
    const lateMs = options.late ?? (settings.url === undefined ? undefined : REMOTE_LATENESS_MS)
    const source = await sourceOf(options, starredQueries(connection, signal))
    const { written } = source
    const params = { ...source.params, ...options.param }
    const around = aroundOf(options)
    const found = options.grep === undefined ? undefined : needleOf(options.grep)
    const searched = found === undefined ? written : withText(written, found)
    const { eventQueryOf, keepColumns, rowLimitOf } = await import('../../apl/language.js')
    // Events are followed by their times, also if the query does not select them.
    const kept = keepColumns(searched, ['_time', '_sysTime'])
    const query = { connection, params, apl: kept.apl, kept: { ...kept, written }, signal }
    const needed = around && ['_time', '_sysTime', ...around.by, UNMATCHED_COLUMN]
    const plan = needed && (await aroundQuery(kept.apl, needed))
    // The query as written runs once first, so that problems refer to its text and not to the text of the query with context.
    if (plan !== undefined) await queryRunner(query, context)(lastArrival(kept.apl), {})
    const unasked = plan === undefined ? [] : [...plan.matches.added, UNMATCHED_COLUMN]
    const hidden = [...kept.added, ...unasked]
    const print = eventPrinter({ ...options, hidden, found }, context)
    // The query for the events around matches has no such operator.
    const limit = plan === undefined ? rowLimitOf(written) : undefined
    const events = eventQueryOf(written)
    if (limit !== undefined) {
      context.warn(
        `\`${limit}\` selects among the stored events at each poll, so new events can be missing. Use \`-n\` to limit the events at the start.`,
      )
    }
    const followed = {
      ...query,
      now,
      since: from,
      last: options.lines,
      changing: events?.kind === 'events' ? events.changing : [],
      ...(plan !== undefined && { apl: markedQuery(plan), kept: undefined }),
      intervalMs: Math.max(options.interval ?? TAIL_INTERVAL_MS, MIN_INTERVAL_MS),
      allowedLateness: lateMs === undefined ? undefined : BigInt(Math.round(lateMs)) * 1_000_000n,
    }
    const tables = follow(followed, context)
    const search = found && { needle: found, hidden: [...hidden, '_sysTime'] }
    const shown =
      around === undefined
        ? unmarked(search ? withTextIn(tables, search.needle, search.hidden) : tables)
        : withContext(tables, around, search)
    for await (const { table, marks } of shown) {
      // A slow reader must not delay the exit after Ctrl-C.
      await orAborted(print(table, marks), signal, () => undefined)
      if (signal.aborted) break
    }
    return exitCode() ?? EXIT.done
  })
  return await ended.catch((error: unknown) => {
    // A request in flight fails when the signal stops it.
    if (closed.aborted) return EXIT.done
    throw error
  })
}

/** Yields the matches among events and the events around them. */
async function* withContext(
  tables: AsyncIterable<Table>,
  around: Around,
  search: { readonly needle: Needle; readonly hidden: readonly string[] } | undefined,
) {
  const live = liveContext(around)
  for await (const table of tables) {
    const found = search && rowsWithText(table, search.needle, search.hidden)
    const marks = eventsOf(table).flatMap((event, row) => {
      const isMatch = (event.get(UNMATCHED_COLUMN) ?? 'null') === 'null'
      return live.add(event, isMatch && found?.has(row) !== false)
    })
    if (marks.length > 0) {
      yield { table: eventTable(marks, { fields: table.fields, hidden: [] }), marks }
    }
  }
}

async function* unmarked(tables: AsyncIterable<Table>) {
  for await (const table of tables) yield { table, marks: undefined }
}

/** Returns the query to follow. Throws a `UsageError` unless exactly one query is given. */
async function sourceOf(
  { what, starred }: TailOptions,
  queries: StarredQueries,
): Promise<{ readonly written: string; readonly params?: Params | undefined }> {
  if (what !== undefined && starred !== undefined) {
    throw new UsageError('The query is given twice: as an argument and with `--starred`.')
  }
  if (what !== undefined) return { written: queryFor(what) }
  if (starred === undefined) {
    throw new UsageError(
      'What to follow is missing: a dataset, a query or `--starred <name>`. `evq view -f` follows files and standard input.',
    )
  }
  const { query } = await findStarred(queries, starred)
  return { written: query.apl, params: query.variables }
}

/** Polling more often would overload the service. */
const MIN_INTERVAL_MS = 50
