import { ApiError } from '../../../../client/error.js'
import { queryPage } from '../../../../client/query.js'
import type { Batch, InputItem } from '../../../../input/batch.js'
import type { FileScan } from '../../../../local/file-scan.js'
import { factsOf } from '../../../../render/format.js'
import { counted } from '../../../../text/integer.js'
import { isRegularFile } from '../../../../text/regular-file.js'
import type { AplRequest } from '../../../../wire/http/query.js'
import { FILE_ROWS } from '../../../../wire/limits.js'
import { eventPrinter } from '../../../around/event-printer.js'
import type { Context } from '../../../context.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { formatOf, isRowOutput, isShown, type RowOutputFormat } from '../../../output/flags.js'
import { ResponsePage } from '../../../output/response-page.js'
import { openRowTarget } from '../../../output/row-target.js'
import { RowSink } from '../../../output/rows.js'
import type { Target } from '../../../output/target.js'
import { checkRequest } from '../../../query/check.js'
import { QueryError, queryError } from '../../../query/error.js'
import type { QueryOptions } from '../options.js'
import { rowCount } from '../summary.js'
import { type LineScan, startLineScan } from './line-scan.js'
import { type Loading, storeItems } from './load.js'
import type { InputPlan } from './plan.js'
import { checkReadable, readFiles } from './read.js'
import type { ScanOptions } from './scan.js'
import type { InputService } from './service.js'
import { addShrunk } from './unread.js'

/** An event waits for a short time only for its batch to fill. */
const LIMITS = { bytes: 8 * 1024 * 1024, maxEvents: 50_000, flushMs: 100 }

/** A query whose rows are printed while its input is read. */
export interface Streaming extends Loading {
  readonly plan: InputPlan & Required<Pick<InputPlan, 'main'>>
  readonly files: readonly string[]
  readonly request: AplRequest
  readonly options: QueryOptions
  readonly service: InputService
  /** A scan of the files, if it was begun. */
  readonly scan: FileScan | undefined
  /** Settings for scanning the events of other inputs; missing when the events have to be stored. */
  readonly lineScan: ScanOptions | undefined
}

/** A format of rows; `line` is one event per line, as `evq tail` prints events. */
export type StreamFormat = RowOutputFormat | 'line'

/**
 * Returns the format in which the rows of a query can be printed as they arrive; undefined when its result has to be complete
 * first: the query combines events, or the format or a flag needs all rows.
 */
export function streamFormat(
  { plan, options }: { readonly plan: InputPlan; readonly options: QueryOptions },
  { io }: Context,
): StreamFormat | undefined {
  const { check, explain, assert, stats, why, order, cursor, failOnEmpty, format } = options
  const needsAll = [check, explain, assert, stats, why, order, cursor, failOnEmpty, format]
  if (!plan.isStream || needsAll.some((flag) => flag !== undefined)) return undefined
  const isPiped = plan.main?.patterns.includes('-') === true
  const chosen = formatOf(options) ?? (isShown(options, io) ? undefined : 'ndjson')
  if (chosen === undefined) return isPiped ? 'line' : undefined
  if (chosen === 'table' || !isRowOutput(chosen)) return undefined
  if (chosen === 'parquet') return chosen
  // A heading needs all columns. The columns of whole events are known only after the last event.
  const isComplete = !factsOf(chosen).hasHeading || plan.hasFixedColumns || isPiped
  return isComplete ? chosen : undefined
}

/** The most bytes of rows that wait for a field. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024

/**
 * Prints the rows of each event as soon as it is read. If no event of a file has a field of the query so far, the rows wait for an event
 * that has it, because otherwise the query is wrong. Returns the exit code.
 */
export async function streamRows(streaming: Streaming, format: StreamFormat): Promise<ExitCode> {
  const { plan, files, request, options, service, context, signal, unread } = streaming
  const { dataset } = plan.main
  const most = Math.min(plan.limit ?? FILE_ROWS, options.limit ?? Number.POSITIVE_INFINITY)
  const isLimited = plan.limit !== undefined || options.limit !== undefined
  const mayWait = files.every(isRegularFile)
  const output = await openOutput(format, options, context)
  let rows = 0
  let waiting: ResponsePage[] = []
  try {
    const writeWaiting = async (): Promise<void> => {
      for (const page of waiting) await output.write(page)
      waiting = []
    }
    const print = async (limit: number): Promise<void> => {
      if (waiting.length > 0) service.forget(dataset)
      const { page, lacksField } = await rowsOf({ ...request, defaultLimit: limit }, streaming)
      rows += page.rows
      waiting.push(page)
      const bytes = waiting.reduce((sum, one) => sum + one.bytes, 0)
      if (!lacksField || !mayWait || bytes > MOST_WAITING_BYTES) await writeWaiting()
    }
    for await (const _ of eventGroups(streaming, () => rows)) {
      await print(isLimited ? most - rows : FILE_ROWS)
      if (signal.aborted) return EXIT.interrupted
      if (isLimited && rows >= most) break
    }
    if (signal.aborted) return EXIT.interrupted
    checkReadable(unread)
    if (unread.events === 0) await service.clear(dataset)
    if (rows === 0) await print(FILE_ROWS)
    const checked = checkEnd(streaming)
    if (rows < most) await checked
    else await checked.catch((error: unknown) => warnOfFields(error, context))
    await writeWaiting()
    await output.end()
    await output.finish(signal)
  } finally {
    await output.close()
  }
  context.info(`${rowCount(rows)}, ${counted(unread.events, 'event')} examined`)
  return output.lost.length > 0 ? reportLost(output.lost, context) : EXIT.done
}

/**
 * Throws when no file could be read, or when the query has a field that none of the events had, which is a mistake unless there
 * were no events. Called before the rows replace a file.
 */
export async function checkEnd(streaming: Streaming): Promise<void> {
  const { plan, request, service, unread, signal, context } = streaming
  checkReadable(unread)
  if (unread.events === 0) return
  service.forget(plan.main.dataset)
  await checkRequest({ request, local: service.connection, signal }, context)
}

/** Warns of fields that no event had when the limit of rows was reached: later events may have them. */
async function warnOfFields(error: unknown, context: Context): Promise<void> {
  if (!(error instanceof QueryError)) throw error
  const { unknownField } = await import('../../../../apl/language.js')
  for (const problem of error.problems) {
    const name = unknownField(error.apl, problem)
    if (name === undefined) throw error
    context.warn(`No event that was read has the field \`${name}\`; ${problem.help}.`)
  }
}

/** More events are queried at once when fewer than one in this many becomes a row. */
const SPARSE = 10

/**
 * Yields whenever a group of events can be queried, in the order of the input. The group is deleted before the next group is
 * read. `rows` returns the number of rows so far.
 */
export async function* eventGroups(streaming: Streaming, rows: () => number): AsyncGenerator<void> {
  const { plan, files, service, scan, unread } = streaming
  if (scan === undefined) return yield* readGroups(streaming, rows)
  for await (const group of scan.groups()) {
    if (group.kind === 'columns') {
      await service.show(scan, group)
      unread.events += group.events
      yield
      scan.isSparse = SPARSE * rows() < unread.events
      continue
    }
    const { before, isRest, range } = group
    const { file, start } = range
    await service.showStored(plan.main.dataset)
    if (isRest) addShrunk(scan, unread)
    const end = isRest ? Number.POSITIVE_INFINITY : range.end
    const read = files.slice(file, isRest ? undefined : file + 1)
    const part = { ...streaming, limits: LIMITS, range: { before, start, end } }
    for await (const item of readFiles(read, part)) yield* storedItem(item, streaming)
  }
}

/** Yields like `eventGroups`, for inputs that this thread reads. */
async function* readGroups(streaming: Streaming, rows: () => number): AsyncGenerator<void> {
  const { files, lineScan } = streaming
  const ended = new AbortController()
  const signal = AbortSignal.any([streaming.signal, ended.signal])
  const items = readFiles(files, { ...streaming, limits: LIMITS, signal })
  try {
    for (let next = await items.next(); !next.done; next = await items.next()) {
      const { value: item } = next
      const isBatch = item.kind === 'batch'
      const lines = isBatch && lineScan ? await startLineScan(item, lineScan) : undefined
      if (isBatch && lines) {
        return yield* scannedBatches({ lines, first: item, items }, streaming, rows)
      }
      yield* storedItem(item, streaming)
    }
  } finally {
    // A read may still be waiting for input.
    ended.abort()
    await items.return(undefined)
  }
}

/** Yields whenever more events are scanned, while the following events are read. */
async function* scannedBatches(
  { lines, first, items }: { lines: LineScan; first: Batch; items: AsyncGenerator<InputItem> },
  streaming: Streaming,
  rows: () => number,
): AsyncGenerator<void> {
  const { plan, service, unread } = streaming
  const { scan } = lines
  const batches: Batch[] = []
  const read = async (): Promise<void> => {
    try {
      let item: InputItem = first
      for (;;) {
        if (item.kind === 'unsendable') await unread.unsendable(item)
        if (item.kind === 'batch') {
          batches.push(item)
          await lines.add(item)
        }
        const next = await items.next()
        if (next.done) return
        item = next.value
      }
    } finally {
      await lines.end()
    }
  }
  const reading = read()
  reading.catch(() => {})
  try {
    for await (const group of scan.groups()) {
      if (group.kind === 'lines') {
        await service.showStored(plan.main.dataset)
        yield* storedItem(batches[group.index]!, streaming)
        delete batches[group.index]
        continue
      }
      await service.show(scan, group)
      unread.events += group.events
      for (let index = group.first; index <= group.last; index++) {
        batches[index]?.release()
        delete batches[index]
      }
      yield
      scan.isSparse = SPARSE * rows() < unread.events
    }
    await reading
  } finally {
    await scan.close()
  }
}

/** Stores a batch, and yields when some of its events were stored. The events are deleted afterwards. */
async function* storedItem(item: InputItem, streaming: Streaming): AsyncGenerator<void> {
  const { plan, service, unread } = streaming
  const { dataset } = plan.main
  const before = unread.events
  await storeItems(dataset, [item], streaming)
  if (unread.events === before) return
  yield
  await service.clear(dataset)
}

/**
 * Runs the query on the events in the service. A field that no event has so far is not an error: later events may have it. `lacksField`
 * is true if there is such a field that the service did not know from an earlier call.
 */
export async function rowsOf(
  request: AplRequest,
  { plan, service, signal }: Streaming,
): Promise<{ readonly page: ResponsePage; readonly lacksField: boolean }> {
  const ask = async (lacksField: boolean) => {
    const body = await queryPage(service.connection, request, { signal })
    return { page: ResponsePage.read(body), lacksField }
  }
  try {
    return await ask(false)
  } catch (error) {
    const { problems = [] } = error instanceof ApiError ? error : {}
    if (!problems.some(({ code }) => code === 'unknown-field')) throw queryError(request.apl, error)
  }
  await service.assumeFieldsOf(request, plan.main.dataset)
  try {
    return await ask(true)
  } catch (error) {
    throw queryError(request.apl, error)
  }
}

/** Opens the output of rows; `line` prints events as `evq tail` does. */
async function openOutput(
  format: StreamFormat,
  { out, columns, header, timezone }: QueryOptions,
  context: Context,
): Promise<Pick<RowSink, 'write' | 'end' | 'lost'> & Pick<Target, 'finish' | 'close'>> {
  const target = await openRowTarget(out, format, context.io)
  const { finish, close } = target
  if (format !== 'line') {
    const rows = new RowSink({ columns, header, timezone, format, target }, context)
    return Object.assign(rows, { finish, close })
  }
  const print = eventPrinter({ columns, timezone, output: 'line' }, context)
  const write = async (page: ResponsePage) => {
    const table = page.table()
    if (table !== undefined) await print(table)
  }
  return { write, end: async () => {}, lost: [], finish, close }
}

function reportLost(lost: readonly string[], { warn }: Context): ExitCode {
  const names = lost.map((name) => `\`${name}\``).join(', ')
  warn(
    `The rows lack ${names}, which appeared after the heading was written. Select columns with \`project\`, or read a file with \`-i\`.`,
  )
  return EXIT.incomplete
}
