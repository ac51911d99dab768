import { resolve } from 'node:path'
import { Command } from 'commander'
import type { Connection } from '../../client/connection.js'
import type { Direction } from '../../client/pages/page.js'
import type { Paging } from '../../client/pages/request.js'
import { isRowFormat, type RowFormat } from '../../render/format.js'
import type { AplRequest } from '../../wire/http/query.js'
import { exactJsonText } from '../../wire/json/exact-json.js'
import { formatTimestamp, parseTimestamp } from '../../wire/time/timestamp.js'
import { clock } from '../clock.js'
import { connect } from '../connection/connect.js'
import { closeConnection } from '../connection/with-connection.js'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import type { ExitCode } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { choiceOption, countOption } from '../option/option.js'
import { paramOption } from '../option/param.js'
import { addTimeOptions, type TimeRangeFlags, timeRange } from '../option/time-range.js'
import { addExportOptions, formatOf, type OutputFormat, type PrintFlags } from '../output/flags.js'
import { type Settings, settings } from '../settings/settings.js'
import { interruptible } from '../terminal/interrupt.js'
import { type ExportIdentity, readCheckpoint, resumable } from './page/checkpoint.js'
import { type ExportPlan, runExport } from './page/export.js'
import { lockExport } from './page/lock.js'
import { readPipeline } from './page/pipeline.js'
import { partialPath } from './page/target.js'
import {
  type AssertionFlags,
  type AssertionResult,
  addAssertionOptions,
  concludeAssertion,
  evaluateAssertion,
} from './query/assertion.js'
import { queryText } from './query/query-text.js'
import { addRequestOptions, type RequestFlags, requestOf } from './query/request-options.js'

export interface PageOptions extends TimeRangeFlags, RequestFlags, PrintFlags, AssertionFlags {
  readonly apl?: string | undefined
  readonly file?: string
  readonly by?: 'time' | 'cursor'
  readonly direction?: Direction
  readonly pageSize?: number
  readonly maxRows?: number
  readonly checkpoint?: string
  readonly manifest?: string
}

/** `evq page [apl]` */
export function pageCommand(context: Context, run = runPage): Command {
  const command = new Command('page')
    .summary('export all rows of a query')
    .description(
      'Exports all rows of a query, each once, a page at a time until there are no more.',
    )
    .argument('[apl]', 'the query; `-` reads it from standard input')
    .optionsGroup('What to export:')
    .option('-f, --file <file>', 'read the query from a file; `-` is standard input')
  addTimeOptions(command)
    .addOption(paramOption())
    .addOption(countOption('--max-rows <rows>', 'how many rows at most'))
    .optionsGroup('How to page:')
    .addOption(
      choiceOption('--by <way>', 'time (the default, for every service) or cursor', [
        'time',
        'cursor',
      ]),
    )
    .addOption(
      choiceOption('--direction <order>', 'asc (oldest first) or desc (the default)', [
        'asc',
        'desc',
      ]),
    )
    .addOption(
      countOption(
        '--page-size <rows>',
        'rows in a request, up to 50,000: 1,000, or what fits from the local data',
      ),
    )
    .option('--checkpoint <file>', 'keep how far it is, so that the same command goes on there')
    .option('--manifest <file>', 'write what was asked, and how many rows came, as JSON')
  addExportOptions(command)
  addAssertionOptions(command.optionsGroup('To demand something of it:'))
  addRequestOptions(command)
    .addHelpText('after', () => examples(PAGE_EXAMPLES))
    .action(async (apl: string | undefined, flags: Omit<PageOptions, 'apl'>) =>
      context.finish(await run({ apl, ...flags }, context)),
    )
  return command
}

const PAGE_EXAMPLES = [
  `evq page "['logs']" --since 30d -O logs.csv`,
  `evq page "['logs'] | where status >= 500" --direction asc > failed.ndjson`,
  `evq page "['logs']" --page-size 50000 -O logs.ndjson --checkpoint logs.state`,
]

/** Where each request crosses a network, and the service may have its limits. */
const PAGE_SIZE = 1_000
const LARGEST_PAGE = 50_000

export async function runPage(options: PageOptions, context: Context): Promise<ExitCode> {
  const { io } = context
  const format = pageFormat(options, context)
  checkFlags(options)
  const text = await queryText(options, io)
  const configured = await settings(context.flags(), io.env)
  const release = await lockExport(options)
  try {
    return await exportPages(text, { options, format, configured }, context)
  } finally {
    release()
  }
}

async function exportPages(text: string, asked: PlanOptions, context: Context): Promise<ExitCode> {
  const { options, configured } = asked
  const plan = await planExport(text, asked, context)
  const connection = connect(configured, context)
  return await interruptible(async (interrupt) => {
    try {
      const verdict = await assertionResult(text, {
        options,
        plan,
        connection,
        signal: interrupt.signal,
      })
      const demand = (rows: number) => concludeAssertion({ rows, verdict }, options, context)
      return await runExport({ ...plan, demand }, connection, { interrupt, context })
    } finally {
      await closeConnection(connection, interrupt)
    }
  })
}

/** How the rows that are to be exported meet the predicate, where there is one. */
async function assertionResult(
  text: string,
  asked: {
    readonly options: PageOptions
    readonly plan: Plan
    readonly connection: Connection
    readonly signal: AbortSignal
  },
): Promise<AssertionResult | undefined> {
  const { options, plan, connection, signal } = asked
  const { assert: predicate } = options
  if (predicate === undefined) return undefined
  const { request, start, end } = plan.paging
  const startTime = start === undefined ? {} : { startTime: formatTimestamp(start) }
  const whole = { ...request, apl: text, ...startTime, endTime: formatTimestamp(end) }
  return await evaluateAssertion(connection, whole, { predicate, signal })
}

/** One of the formats that rows can be added to as they come. */
function pageFormat(options: PageOptions, { io }: Context): RowFormat {
  const asked: OutputFormat | undefined = formatOf(options)
  const format = asked ?? (io.stdout.isTTY && options.out === undefined ? 'table' : 'ndjson')
  if (format !== 'raw' && isRowFormat(format)) return format
  throw new UsageError(
    `\`-o ${format}\` shows one answer, and an export has many. \`evq query -o ${format}\` prints it.`,
  )
}

function checkFlags({ pageSize, out, checkpoint, manifest }: PageOptions): void {
  if (pageSize !== undefined && pageSize > LARGEST_PAGE) {
    throw new UsageError(`\`--page-size\` is 50,000 at most, not \`${pageSize}\`.`)
  }
  const others = [checkpoint, ...(out === undefined ? [] : [out, partialPath(out)])]
  if (others.some((path) => path && manifest && resolve(path) === resolve(manifest))) {
    throw new UsageError(
      '`--manifest` takes a file of its own, not one that `-O` or `--checkpoint` writes.',
    )
  }
}

/** What is decided about an export before its rows are judged. */
type Plan = Omit<ExportPlan, 'demand'>

interface PlanOptions {
  readonly options: PageOptions
  readonly format: RowFormat
  readonly configured: Settings
}

async function planExport(text: string, asked: PlanOptions, context: Context): Promise<Plan> {
  const { options, format } = asked
  const { apl, direction: ordered, limit, isExpanding } = readPipeline(text)
  const direction = directionOf(options.direction, { ordered, limit })
  const isLocal = asked.configured.url === undefined
  // The fewer the pages, the less of an export is looking for where the next one begins.
  const isAdaptive = isLocal && options.pageSize === undefined
  const { pageSize = isLocal ? LARGEST_PAGE : PAGE_SIZE } = options
  const { by = 'time', columns, header, timezone, out, manifest } = options
  const limits = [limit, options.maxRows].filter((count) => count !== undefined)
  const maxRows = limits.length === 0 ? undefined : Math.min(...limits)
  const request = requestOf(apl, {}, options)
  const identity = identityOf({ by, direction, pageSize, maxRows }, { ...asked, request })
  const path = options.checkpoint === undefined ? undefined : resolve(options.checkpoint)
  const kept = path === undefined ? undefined : await readCheckpoint(path, identity)
  const saved = await resumable(kept, out ?? '')
  if (kept !== undefined && saved === undefined) {
    context.warn(`\`${out}\` has changed since the checkpoint, so the export starts over.`)
  }
  const range = saved?.range ?? rangeOf(options, clock(context.io)())
  const paging: Paging = { request, by, direction, pageSize, isAdaptive, ...range }
  return {
    ...{ paging, isExpanding },
    print: {
      format,
      ...(columns !== undefined && { columns }),
      ...(header !== undefined && { header }),
      ...(timezone && { timezone }),
    },
    ...{ out, maxRows, manifest, saved },
    checkpoint: path === undefined ? undefined : { path, identity },
  }
}

/** The order that is asked for, by flag or in the query; without either, that of every query. */
function directionOf(
  asked: Direction | undefined,
  {
    ordered,
    limit,
  }: { readonly ordered: Direction | undefined; readonly limit: number | undefined },
): Direction {
  if (asked !== undefined && ordered !== undefined && asked !== ordered) {
    throw new UsageError(`The query sorts \`${ordered}\`, and \`--direction\` says \`${asked}\`.`)
  }
  if (asked === 'asc' && ordered === undefined && limit !== undefined) {
    throw new UsageError(
      `\`limit ${limit}\` takes the newest rows. With \`| sort by _time asc\` before it, or as \`--max-rows ${limit}\`, it takes the oldest.`,
    )
  }
  return asked ?? ordered ?? 'desc'
}

/** The range never changes while an export runs, so it has an end. */
function rangeOf(options: PageOptions, now: bigint): Pick<Paging, 'start' | 'end'> {
  const { startTime = '', endTime = '' } = timeRange(options, now)
  const start = parseTimestamp(startTime)
  const end = parseTimestamp(endTime) ?? now
  if (start !== undefined && start >= end) {
    throw new UsageError(
      `The range begins at ${formatTimestamp(start)}, after now; \`--until\` gives it an end.`,
    )
  }
  return { start, end }
}

/** What has to be the same for an export to be gone on with. */
function identityOf(
  ways: Readonly<Record<string, string | number | undefined>>,
  { options, format, configured, request }: PlanOptions & { readonly request: AplRequest },
): ExportIdentity {
  const { apl, ...fields } = request
  const { since, from, startTime, until, to, endTime, columns, header = true, out = '' } = options
  const { url, dataDirectory, organizationId } = configured
  return {
    query: apl,
    deployment: url ?? dataDirectory,
    organization: organizationId ?? null,
    request: exactJsonText(fields),
    '--since': since ?? from ?? startTime ?? null,
    '--until': until ?? to ?? endTime ?? null,
    '--by': ways.by ?? null,
    '--direction': ways.direction ?? null,
    '--page-size': ways.pageSize ?? null,
    '--max-rows': ways.maxRows ?? null,
    format,
    '--columns': columns ?? null,
    header,
    '--timezone': options.timezone?.name ?? null,
    file: resolve(out),
  }
}
