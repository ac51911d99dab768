import { resolve } from 'node:path'
import { Command } from 'commander'
import type { EventQuery, NoEventQuery } from '../../apl/language.js'
import { MAX_PARALLEL_PAGES, PAGE_ROWS } from '../../client/limits.js'
import type { Direction } from '../../client/pages/page.js'
import type { Paging } from '../../client/pages/request.js'
import { formatInteger } from '../../text/integer.js'
import type { AplRequest } from '../../wire/http/query.js'
import { exactJsonText } from '../../wire/json/exact-json.js'
import { RESULT_ROWS } from '../../wire/limits.js'
import { formatTimestamp, parseTimestamp } from '../../wire/time/timestamp.js'
import { withConnection } from '../connection/with-connection.js'
import { type Context, clock } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import type { ExitCode } from '../exit-code.js'
import { spareInputs } from '../file/spare-inputs.js'
import { examples } from '../help/examples.js'
import { choiceOption, countOption } from '../option/option.js'
import { paramOption } from '../option/param.js'
import { addRare } from '../option/rare.js'
import { addTimeOptions, type TimeRangeFlags, timeRange } from '../option/time-range.js'
import {
  addExportOptions,
  formatOf,
  isOutputFile,
  isRowOutput,
  isShown,
  type PrintFlags,
  type RowOutputFormat,
} from '../output/flags.js'
import { partialPath } from '../output/target.js'
import {
  type AssertionFlags,
  addAssertionOptions,
  concludeAssertion,
  evaluateAssertion,
} from '../query/assertion.js'
import { queryText } from '../query/query-text.js'
import {
  addRequestOptions,
  noticeUnusedParams,
  type RequestFlags,
  requestOf,
} from '../query/request-options.js'
import { type Settings, settings } from '../settings/settings.js'
import { type ExportIdentity, readCheckpoint, resumable } from './page/checkpoint.js'
import { type ExportPlan, runExport } from './page/export.js'
import { lockExport } from './page/lock.js'
import { readPipeline } from './page/pipeline.js'

interface PageOptions extends TimeRangeFlags, RequestFlags, PrintFlags, AssertionFlags {
  readonly apl?: string | undefined
  readonly file?: string
  readonly by?: 'time' | 'cursor'
  readonly direction?: Direction
  readonly pageSize?: number
  readonly parallel?: number
  readonly maxRows?: number
  readonly checkpoint?: string
  readonly manifest?: string
}

export function pageCommand(context: Context): Command {
  const command = new Command('page')
    .description('Exports all rows of a query, each exactly once, one page at a time.')
    .argument('[apl]', 'the query; `-` reads it from standard input')
    .optionsGroup('Query options:')
    .option('-f, --file <file>', 'read the query from a file; `-` is standard input')
  addTimeOptions(command)
    .addOption(paramOption())
    .addOption(countOption('--max-rows <rows>', 'the maximum number of rows'))
    .optionsGroup('Paging options:')
    .addOption(
      choiceOption(
        '--by <way>',
        'time or cursor (default: time, which every service supports; cursor for local data)',
        ['time', 'cursor'],
      ),
    )
    .addOption(
      choiceOption(
        '--direction <order>',
        'asc (oldest first) or desc (default: the order of the query, else desc)',
        ['asc', 'desc'],
      ),
    )
    .addOption(
      countOption(
        '--page-size <rows>',
        `rows per request, at most ${formatInteger(RESULT_ROWS)} (default: ${formatInteger(PAGE_ROWS)}; adaptive for local data)`,
        { most: RESULT_ROWS },
      ),
    )
    .addOption(
      countOption(
        '--parallel <requests>',
        `fetch parts of the time range at once, at most ${MAX_PARALLEL_PAGES}`,
        { most: MAX_PARALLEL_PAGES },
      ),
    )
    .option('--checkpoint <file>', 'store the position, so that the same command resumes there')
    .option('--manifest <file>', 'write the query and the number of rows as JSON')
  addExportOptions(command)
  addAssertionOptions(command.optionsGroup('Assertions:'))
  addRare(command, addRequestOptions)
    .addHelpText('after', () => examples(PAGE_EXAMPLES))
    .action(async (apl: string | undefined, flags: Omit<PageOptions, 'apl'>) =>
      context.finish(await runPage({ apl, ...flags }, context)),
    )
  return command
}

const PAGE_EXAMPLES = [
  `evq page "['logs']" --since 30d -O logs.csv`,
  `evq page "['logs'] | where status >= 500" --direction asc > failed.ndjson`,
  `evq page "['logs']" --page-size 50000 -O logs.ndjson --checkpoint logs.state`,
  `evq page "['logs']" --since 30d --parallel 8 -O logs.csv`,
]

async function runPage(options: PageOptions, context: Context): Promise<ExitCode> {
  const { io } = context
  const format = pageFormat(options, context)
  checkFlags(options)
  await checkFiles(options, context)
  const text = await queryText(options, io, `\`${PAGE_EXAMPLES[0]}\``)
  const configured = await settings(context.flags(), io.env)
  const release = await lockExport(options)
  try {
    return await exportPages(text, { options, format, configured }, context)
  } finally {
    release()
  }
}

async function exportPages(
  text: string,
  requested: PlanOptions,
  context: Context,
): Promise<ExitCode> {
  const { options, configured } = requested
  const plan = await planExport(text, requested, context)
  const { request, start, end, isOpen } = plan.paging
  const startTime = start === undefined ? {} : { startTime: formatTimestamp(start) }
  const endTime = isOpen ? {} : { endTime: formatTimestamp(end) }
  const whole = { ...request, apl: text, ...startTime, ...endTime }
  const { assert: predicate } = options
  const work: Parameters<typeof withConnection>[1] = async ({ connection, interrupt }) => {
    const { signal } = interrupt
    const assertion =
      predicate === undefined
        ? undefined
        : await evaluateAssertion(connection, whole, { predicate, signal })
    const assertRows = (rows: number) => concludeAssertion({ rows, assertion }, options, context)
    return await runExport({ ...plan, assertRows }, { connection, interrupt, context })
  }
  return await withConnection(context, work, configured)
}

/** Returns the output format. Throws a `UsageError` for a format that needs all rows at once. */
function pageFormat(options: PageOptions, { io }: Context): RowOutputFormat {
  const format = formatOf(options) ?? (isShown(options, io) ? 'table' : 'ndjson')
  const written = options.output === undefined ? `-O ${options.out}` : `-o ${format}`
  if (!isRowOutput(format)) {
    throw new UsageError(
      `\`${written}\` needs all rows at once, and an export writes them page by page. Use \`evq query ${written}\`.`,
    )
  }
  if (format === 'parquet' && options.checkpoint !== undefined) {
    throw new UsageError(
      `\`${written}\` can't be resumed, because a Parquet file is written at the end. Use \`--checkpoint\` with another format, such as NDJSON.`,
    )
  }
  return format
}

function checkFlags({ by, parallel }: PageOptions): void {
  if (parallel !== undefined && by === 'cursor') {
    throw new UsageError(
      '`--parallel` splits the time range and cannot be used with `--by cursor`: a cursor is known only after the previous page.',
    )
  }
}

/** Throws a `UsageError` when the export would overwrite its query file, or write two of its files to the same place. */
function checkFiles(options: PageOptions, { io }: Context): Promise<void> {
  const { file, out, checkpoint, manifest } = options
  const outputs = {
    '-O': out,
    '-O (unfinished)': isOutputFile(out) ? partialPath(out) : undefined,
    '--checkpoint': checkpoint,
    '--manifest': manifest,
  }
  return spareInputs(outputs, [file], io)
}

interface PlanOptions {
  readonly options: PageOptions
  readonly format: RowOutputFormat
  readonly configured: Settings
}

async function planExport(
  text: string,
  plan: PlanOptions,
  context: Context,
): Promise<Omit<ExportPlan, 'assertRows'>> {
  const { options, format } = plan
  const { apl, direction: ordered, limit, isExpanding } = readPipeline(text)
  const direction = directionOf(options.direction, { ordered, limit })
  const isLocal = plan.configured.url === undefined
  // Fewer pages mean less time spent on locating the next one.
  const isAdaptive = isLocal && options.pageSize === undefined
  const { pageSize = isLocal ? RESULT_ROWS : PAGE_ROWS } = options
  // Without `--by`, the identity is the same whichever way pages are found, so a checkpoint fits with and without `--parallel`.
  const { by = 'time', columns, header, timezone, out, manifest } = options
  const limits = [limit, options.maxRows].filter((count) => count !== undefined)
  const maxRows = limits.length === 0 ? undefined : Math.min(...limits)
  noticeUnusedParams(text, options, context)
  const request = requestOf(apl, {}, options)
  const { eventQueryOf, keepColumns } = await import('../../apl/language.js')
  const asked = keepColumns(apl, ['_time'])
  const way = options.by ?? (isLocal && options.parallel === undefined ? 'any' : 'time')
  assertPageable(eventQueryOf(apl), way)
  const identity = identityOf({ by, direction, pageSize, maxRows }, { ...plan, request })
  const path = options.checkpoint === undefined ? undefined : resolve(options.checkpoint)
  const kept = path === undefined ? undefined : await readCheckpoint(path, identity)
  const saved = await resumable(kept, out ?? '')
  if (kept !== undefined && saved === undefined) {
    context.warn(`\`${out}\` has changed since the checkpoint, so the export starts over.`)
  }
  const range = saved ?? rangeOf(options, clock(context.io)())
  const paging: Paging = {
    request: { ...request, apl: asked.apl },
    direction,
    pageSize,
    isAdaptive,
    shortPages: isLocal,
    start: range.start,
    end: range.end,
    isOpen: saved === undefined && options.until === undefined,
    by: way,
  }
  return {
    paging,
    isExpanding,
    written: { request, restore: asked.restore },
    print: { format, hidden: asked.added, columns, header, timezone },
    out,
    maxRows,
    manifest,
    saved,
    parallel: options.parallel,
    checkpoint: path === undefined ? undefined : { path, identity },
  }
}

/** Throws a `UsageError` for columns by which pages are found, or rows are recognized, if the query changes them. */
function assertPageable(
  query: EventQuery | NoEventQuery | undefined,
  way: NonNullable<Paging['by']>,
): void {
  if (query?.kind !== 'events') return
  if (query.setsTime) {
    throw new UsageError(
      'The query changes `_time`, by which pages are found. Use another name, or `evq query`.',
    )
  }
  const [changing] = query.changing
  if (changing === undefined || way === 'any') return
  throw new UsageError(
    `\`${changing}\` is computed from the time of each request or from random numbers, so rows can't be recognized from page to page. Write a time, such as \`datetime(2026-01-31)\`, or use \`evq query\`.`,
  )
}

/** Returns the order that the flag or the query sets, by default newest first. */
function directionOf(
  direction: Direction | undefined,
  { ordered, limit }: { ordered: Direction | undefined; limit: number | undefined },
): Direction {
  if (direction !== undefined && ordered !== undefined && direction !== ordered) {
    throw new UsageError(`The query sorts \`${ordered}\`, but \`--direction\` is \`${direction}\`.`)
  }
  if (direction === 'asc' && ordered === undefined && limit !== undefined) {
    throw new UsageError(
      `\`limit ${limit}\` takes the newest rows. Add \`| sort by _time asc\` in front of it, or use \`--max-rows ${limit}\`, to take the oldest.`,
    )
  }
  return direction ?? ordered ?? 'desc'
}

/** Returns the range, which always has an end so that it does not change during an export. */
function rangeOf(options: PageOptions, now: bigint): Pick<Paging, 'start' | 'end'> {
  const { startTime = '', endTime = '' } = timeRange(options, now)
  const start = parseTimestamp(startTime)
  const end = parseTimestamp(endTime) ?? now
  if (start !== undefined && start >= end) {
    throw new UsageError(
      `The range starts at ${formatTimestamp(start)}, in the future. Set its end with \`--until\`.`,
    )
  }
  return { start, end }
}

/** Returns the properties that must be equal for an export to resume. */
function identityOf(
  ways: Readonly<Record<string, string | number | undefined>>,
  { options, format, configured, request }: PlanOptions & { readonly request: AplRequest },
): ExportIdentity {
  const { apl, ...fields } = request
  const { since, until, columns, header = true, out = '' } = options
  const { url, dataDirectory, organizationId } = configured
  return {
    query: apl,
    deployment: url ?? dataDirectory,
    organization: organizationId ?? null,
    request: exactJsonText(fields),
    '--since': since ?? null,
    '--until': until ?? null,
    '--by': ways.by ?? null,
    '--direction': ways.direction ?? null,
    '--page-size': ways.pageSize ?? null,
    '--max-rows': ways.maxRows ?? null,
    format,
    '--columns': columns?.join(',') ?? null,
    header,
    '--timezone': options.timezone?.name ?? null,
    file: resolve(out),
  }
}
