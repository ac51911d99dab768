import type { Comparison } from '../../../apl/language.js'
import type { Connection } from '../../../client/connection.js'
import { query, queryResponse } from '../../../client/query.js'
import { orAborted } from '../../../text/abort.js'
import type { ChunkedBuffer } from '../../../wire/bytes/chunked-buffer.js'
import type { AplRequest } from '../../../wire/http/query.js'
import { decodeTabularResult } from '../../../wire/http/tabular-result.js'
import { aroundOf } from '../../around/options.js'
import type { AroundRun } from '../../around/response.js'
import { connect } from '../../connection/connect.js'
import { closeConnection } from '../../connection/with-connection.js'
import { type Context, clock } from '../../context.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { describeRange, isBounded, timeRange } from '../../option/time-range.js'
import { isShown } from '../../output/flags.js'
import { countRows, openPrinter, type Printer, type PrintSummary } from '../../output/printer.js'
import { askingIn } from '../../query/ask-rows.js'
import {
  type AssertionResult,
  concludeAssertion,
  evaluateAssertion,
} from '../../query/assertion.js'
import { checkQuery } from '../../query/check.js'
import { queryError } from '../../query/error.js'
import { queryText } from '../../query/query-text.js'
import { noticeUnusedParams, requestOf } from '../../query/request-options.js'
import { settings } from '../../settings/settings.js'
import { interruptible } from '../../terminal/interrupt.js'
import { openWaiting } from '../../terminal/progress.js'
import type { DefaultRange, Ranged } from './default-range.js'
import { type LegacyRequest, legacyRequest, printLegacy, runLegacy } from './legacy.js'
import type { QueryOptions } from './options.js'
import { type RangeNotes, reportResult, sinceText } from './summary.js'

/** The default range on a terminal. */
const RECENT = '1h'

/** Opens the connection that the settings name. */
export async function openTarget(
  context: Context,
): Promise<{ readonly connection: Connection; readonly isLocal: boolean }> {
  const configured = await settings(context.flags(), context.io.env)
  return { connection: connect(configured, context), isLocal: configured.url === undefined }
}

interface QueryRun {
  readonly options: QueryOptions
  readonly context: Context
  readonly connection: Connection
  readonly printer: Printer
  readonly signal: AbortSignal
  readonly request: AplRequest
  /** The request to the older endpoint, which replaces `request`. */
  readonly legacy: LegacyRequest | undefined
  readonly around: AroundRun | undefined
  /** True when the range is the default of a terminal. */
  readonly isRecent: boolean
}

/** Runs one query over a connection that it closes, and prints the result. Returns the exit code. */
export async function executeQuery(
  options: QueryOptions,
  context: Context,
  open: typeof openTarget,
): Promise<ExitCode> {
  const { io } = context
  const isUnbounded = isShown(options, io) && !options.hasInputs && !isBounded(options)
  const bounds = timeRange(isUnbounded ? { since: RECENT } : options, clock(io)())
  const legacy = await legacyRequest({ ...options }, { range: bounds, isRecent: isUnbounded, io })
  const apl = legacy === undefined ? await queryText(options, io) : ''
  const isRecent = isUnbounded && !(await setsRange(apl))
  const range = isUnbounded && !isRecent ? {} : bounds
  const around = await aroundRun(apl, options)
  const { connection, isLocal } = await open(context)
  return await interruptible(async (interrupt) => {
    const { signal } = interrupt
    // A query that names `_sysTime` also decides where the column is printed.
    const arrivalLast = !apl.includes('_sysTime')
    // The column that marks matches is printed in addition to the selected columns.
    const { columns: _, ...others } = options
    const printed = around === undefined ? { ...options, arrivalLast } : others
    const printer = await (options.openPrinter ?? openPrinter)(printed, context)
    try {
      context.debug(`Querying ${connection.name}${describeRange(range)}.`)
      if (legacy === undefined) noticeUnusedParams(apl, options, context)
      const asked = mergeSaved(
        options.saved,
        requestOf(around?.query.matches.apl ?? apl, range, options),
      )
      const isCounted = !isLocal || isRecent || options.stats === true || options.output === 'raw'
      const request = isCounted ? asked : withoutCount(asked)
      if (options.check || options.explain) {
        const checked = { request, ...(isLocal && { local: connection }), signal }
        return await checkQuery(checked, { ...options, printer }, context)
      }
      const asking = { options, context, connection, printer, signal, request, legacy, around }
      return await runRequest({ ...asking, isRecent: legacy?.isRecent ?? isRecent })
    } finally {
      await printer.close()
      await closeConnection(connection, interrupt)
    }
  })
}

/** True when the query itself has a condition on the times of events, as in `['logs'] | where _time > ago(7d)`. */
async function setsRange(apl: string): Promise<boolean> {
  if (!apl.includes('_time')) return false
  const { planOf } = await import('../../../apl/language.js')
  const [ofEvents] = planOf(apl)?.segments ?? []
  const isOfTime = ({ subject }: Comparison) => /(?<![.\w])_time\b/.test(subject)
  return (ofEvents?.steps ?? []).some(
    (step) => step.kind === 'condition' && step.comparisons.some(isOfTime),
  )
}

/** Prepares a query whose rows are printed with the events around them; undefined without `-A`, `-B` and `-C`. */
async function aroundRun(apl: string, options: QueryOptions): Promise<AroundRun | undefined> {
  if (aroundOf(options) === undefined) return undefined
  const { prepareAround } = await import('../../around/response.js')
  return await prepareAround(apl, options)
}

async function runRequest(run: QueryRun): Promise<ExitCode> {
  const { options, context, signal } = run
  const progress = openWaiting(context)
  const canceled = () => {
    progress.close()
    context.info('Query canceled.')
  }
  signal.addEventListener('abort', canceled, { once: true })
  const result = await printResult(run, progress.close).finally(() => {
    progress.close()
    signal.removeEventListener('abort', canceled)
  })
  if (result === undefined) return EXIT.interrupted
  const { range, request, rows } = result
  const explained = rows > 0 ? {} : await explainEmpty({ ...run, request })
  const ended = reportResult(result, { ...options, range, ...explained }, context)
  // The last message is the reason for the exit code.
  const asserted = concludeAssertion(result, options, context)
  return asserted === EXIT.done ? ended : asserted
}

/** Explains a result without rows: always with `--why`, and by default on a terminal. */
async function explainEmpty({
  options,
  context,
  connection,
  request,
  legacy,
  signal,
}: QueryRun): Promise<Pick<RangeNotes, 'isExplained' | 'earlier'>> {
  const { io } = context
  const { why: isAskedFor = false, mainInput: input, timezone: zone } = options
  const isAutomatic = isShown(options, io) && context.flags().quiet !== true
  if (legacy !== undefined || !(isAskedFor || isAutomatic)) return {}
  const { reportWhy } = await import('./why/report.js')
  const found = await reportWhy({ connection, request, input, isAskedFor, signal }, context)
  if (found === undefined) return {}
  if (found.since === undefined) return { isExplained: true }
  return { isExplained: true, earlier: sinceText(found.since, { now: clock(io)(), zone }) }
}

/** Runs a query and prints its result; resolves to `undefined` when interrupted. Calls `answered` when there is a response. */
async function printResult(run: QueryRun, answered: () => void) {
  const { connection, signal } = run
  const { assert: predicate } = run.options
  const evaluate = async (asked: AplRequest): Promise<AssertionResult | undefined> =>
    predicate === undefined
      ? undefined
      : await evaluateAssertion(connection, asked, { predicate, signal })
  // The default range is known only after the response.
  const earlier = run.isRecent ? undefined : await evaluate(run.request)
  const { request, response, range } = await respond(run).finally(answered)
  const assertion = earlier ?? (await evaluate(request))
  const printing = printResponse({ ...run, request }, response)
  // A slow reader must not delay the exit after Ctrl-C.
  const printed = await orAborted(printing, signal, () => undefined)
  return printed && !signal.aborted ? { ...printed, assertion, request, range } : undefined
}

async function printResponse(run: QueryRun, response: ChunkedBuffer): Promise<PrintSummary> {
  const { options: flags, context, connection, printer, signal, request, legacy, around } = run
  if (legacy !== undefined || flags.format === 'legacy') {
    const { isStepwise = true } = legacy ?? {}
    return await printLegacy(response, { printer, flags, isStepwise, signal })
  }
  if (flags.output === 'chart') {
    const drawn = await printPatterns(run, response)
    if (drawn !== undefined) return drawn
  }
  if (around === undefined) return await printer.printResponse(response, signal)
  const { printAround } = await import('../../around/response.js')
  const shown = { request, response, flags, connection, printer, signal }
  return await printAround(around, shown, context)
}

/** Runs a query, in the default range if no range was given. */
async function respond(run: QueryRun): Promise<Ranged> {
  const { connection, signal, request, legacy, around, isRecent } = run
  const { format: form } = run.options
  const range: DefaultRange | undefined = isRecent ? { kind: 'last-hour' } : undefined
  if (legacy !== undefined) {
    return { request, response: await runLegacy(connection, legacy, signal), range }
  }
  const ask = (asked: AplRequest) =>
    queryResponse(connection, asked, { form, signal }).catch((error: unknown) => {
      throw around?.errorOf(error) ?? queryError(asked.apl, error)
    })
  if (!isRecent || form === 'legacy') return { request, response: await ask(request), range }
  const { runInDefaultRange } = await import('./default-range.js')
  return await runInDefaultRange(request, {
    run: ask,
    asking: askingIn({}, { connection, request, signal }),
  })
}

/** Prints the patterns of `reduce` with their counts over time; resolves to `undefined` when the result has none. */
async function printPatterns(
  { context, connection, printer, signal, request }: QueryRun,
  response: ChunkedBuffer,
): Promise<PrintSummary | undefined> {
  if (!/\breduce\b/.test(request.apl)) return undefined
  const { withPatternHistory } = await import('./pattern-history.js')
  const { chartWidth } = await import('../../../render/chart/chart-style.js')
  const result = decodeTabularResult(response.toString())
  const { stdout } = context.io
  const width = chartWidth(stdout.isTTY ? stdout.columns : undefined)
  const ask = (more: AplRequest) => query(connection, more, { signal })
  const history = await withPatternHistory(request, result, { width, ask })
  if (history === undefined) return undefined
  await printer.printTables(history.tables, signal)
  context.info(history.note)
  return { status: result.status, rows: countRows(result.tables) }
}

/** Merges a saved query into a request; flags take precedence. */
function mergeSaved(saved: QueryOptions['saved'], request: AplRequest): AplRequest {
  if (saved === undefined) return request
  const variables = { ...saved.variables, ...request.variables }
  const queryOptions = { ...saved.queryOptions, ...request.queryOptions }
  return { ...saved, ...request, variables, queryOptions }
}

/** Returns a request without the number of matching events, which may cost the local service as much as the query. */
function withoutCount(request: AplRequest): AplRequest {
  return { ...request, queryOptions: { disableStats: true, ...request.queryOptions } }
}
