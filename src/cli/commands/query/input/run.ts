import { isRegularFile } from '../../../../text/regular-file.js'
import { FILE_ROWS } from '../../../../wire/limits.js'
import { aroundOf } from '../../../around/options.js'
import { closeConnection } from '../../../connection/with-connection.js'
import { type Context, clock } from '../../../context.js'
import { UsageError } from '../../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { spareInputs } from '../../../file/spare-inputs.js'
import { conversionThreads } from '../../../ingest/read/inputs.js'
import { isBounded, type TimeRange, timeRange } from '../../../option/time-range.js'
import { isShown } from '../../../output/flags.js'
import { noticeUnusedParams, requestOf } from '../../../query/request-options.js'
import { type Interrupt, interruptible } from '../../../terminal/interrupt.js'
import { executeQuery } from '../execute-query.js'
import type { QueryOptions } from '../options.js'
import { prepareInputAround, printInputAround } from './around.js'
import { copyDatasets, type DatasetCopy } from './copy-datasets.js'
import { scanAll } from './line-scan.js'
import { loadFiles } from './load.js'
import { readingOptions } from './options.js'
import type { InputFiles, InputPlan } from './plan.js'
import { openReadingProgress } from './progress.js'
import { checkReadable, filesIn, filesOf } from './read.js'
import { isScannedQuery, type ScanOptions, startScan } from './scan.js'
import { openInputService } from './service.js'
import { type StreamFormat, type Streaming, streamFormat, streamRows } from './stream.js'
import { addShrunk, Unread } from './unread.js'

/** Runs a query over files or standard input in a temporary service of this process, and prints its result. */
export async function runInputQuery(
  plan: InputPlan,
  options: QueryOptions,
  context: Context,
): Promise<ExitCode> {
  const marked = await markedRows(plan, options)
  const reading = readingOptions(options)
  const named = await Promise.all(
    [...(plan.main ? [plan.main] : []), ...plan.files.values()].map(namedFiles),
  )
  const paths = named.flatMap((input) => input.files)
  await spareInputs({ '-O': options.out }, paths, context.io)
  const inputs = await Promise.all(
    named.map(async ({ dataset, files }) => ({
      dataset,
      files: await filesIn(files, reading, context),
    })),
  )
  const range = timeRange(options, clock(context.io)())
  const prepared = { plan, options, context, marked, reading, inputs, range }
  // Signals are handled from here on, so that the temporary directory is always removed.
  return await interruptible(async (interrupt) => {
    const { startEngine } = await import('../../../../local/engine-start.js')
    startEngine()
    const { openTemporaryDirectory } = await import('../../../../local/temporary-directory.js')
    const { path, remove } = await openTemporaryDirectory()
    try {
      return await runIn(path, prepared, interrupt)
    } finally {
      remove()
    }
  })
}

type MarkedRows = Parameters<typeof printInputAround>[1]

/** Returns the query for events around the rows; undefined without `-A`, `-B` and `-C`, and when nothing is printed. */
async function markedRows(plan: InputPlan, options: QueryOptions): Promise<MarkedRows | undefined> {
  const around = aroundOf(options)
  const { main } = plan
  if (around === undefined) return undefined
  if (main === undefined) {
    throw new UsageError(
      '`-A`, `-B` and `-C` are for files that `-i` names: `evq query -i app.log "where level == \'error\'" -C 3`.',
    )
  }
  if (options.check || options.explain) return undefined
  return { around, query: await prepareInputAround({ plan: { ...plan, main }, options }, around) }
}

interface NamedFiles extends Pick<InputFiles, 'dataset'> {
  readonly files: readonly string[]
}

async function namedFiles({ dataset, patterns }: InputFiles): Promise<NamedFiles> {
  return { dataset, files: await filesOf(patterns) }
}

/** An input query whose command line is valid. */
interface PreparedRun
  extends Pick<InputRun, 'plan' | 'options' | 'context' | 'reading' | 'inputs'> {
  readonly marked: MarkedRows | undefined
  readonly range: TimeRange
}

/** Runs a query in an empty directory. */
async function runIn(
  directory: string,
  prepared: PreparedRun,
  interrupt: Interrupt,
): Promise<ExitCode> {
  const { plan, options, context, marked, reading, inputs, range } = prepared
  const { signal } = interrupt
  const copies = await copyDatasets(plan.datasets, { directory, range, interrupt }, context)
  const format = streamFormat({ plan, options }, context)
  const files = inputs[0]?.files ?? []
  const scans = await startScans(directory, { ...prepared, files, format }, signal)
  const stop = () => void scans.scan?.close()
  signal.addEventListener('abort', stop)
  const opening = openInputService({ plan, reading, directory }, context)
  const service = await opening.finally(() => opening.catch(stop))
  const { connection } = service
  const threads = conversionThreads()
  try {
    const unread = new Unread()
    noticeUnusedParams(plan.apl, options, context)
    const request = requestOf(plan.apl, range, options)
    const selectsTime = isBounded(options)
    const loading = { connection, reading, context, unread, signal, threads, selectsTime }
    const ready = { ...loading, ...scans, plan, options, request, inputs, copies, service }
    const code = await run(ready, { files, marked, format })
    if (signal.aborted) return EXIT.interrupted
    unread.report(context)
    return code === EXIT.done && !unread.isComplete ? EXIT.incomplete : code
  } finally {
    signal.removeEventListener('abort', stop)
    await scans.scan?.close()
    await threads?.close()
    await closeConnection(connection, interrupt)
  }
}

/** Starts to scan files as they are, if possible, and returns the settings for scanning other inputs. */
async function startScans(
  directory: string,
  { plan, reading, marked, files, format, context }: PreparedRun & Omit<RunForm, 'marked'>,
  signal: AbortSignal,
): Promise<Pick<InputRun, 'scan' | 'lineScan'>> {
  const { main } = plan
  // Only stored events are read page by page in the order of their times.
  const isStored = marked?.query.isByTime === true || !isScannedQuery(plan, reading)
  if (main === undefined || isStored) return { scan: undefined, lineScan: undefined }
  const scanning: ScanOptions = {
    dataset: main.dataset,
    // A query with marks uses all fields.
    fields: marked === undefined ? plan.fields : undefined,
    isInGroups: format !== undefined || marked !== undefined,
    files,
    reading,
    directory,
    now: clock(context.io),
  }
  const scan = await startScan(scanning, signal, context)
  // A pipe can't be read again to store its events.
  const isReadable = scanning.isInGroups || files.every(isRegularFile)
  return { scan, lineScan: isReadable ? scanning : undefined }
}

/** An input query that is ready to run. */
interface InputRun extends Omit<Streaming, 'plan' | 'files'> {
  readonly plan: InputPlan
  readonly inputs: readonly NamedFiles[]
  readonly copies: readonly DatasetCopy[]
}

interface RunForm {
  /** The files of the main input. */
  readonly files: readonly string[]
  /** Set when the events around the rows are printed, too. */
  readonly marked: MarkedRows | undefined
  /** Set when rows are printed while the input is read. */
  readonly format: StreamFormat | undefined
}

async function run(ready: InputRun, { files, marked, format }: RunForm): Promise<ExitCode> {
  const { plan, signal } = ready
  const { main } = plan
  const streaming = main && { ...ready, plan: { ...plan, main }, files }
  if (streaming !== undefined && marked !== undefined) {
    if (marked.query.isByTime) await loadAll(ready)
    return signal.aborted ? EXIT.interrupted : await printInputAround(streaming, marked)
  }
  if (streaming !== undefined && format !== undefined) return await streamRows(streaming, format)
  if (!(await isScannedWhole(ready))) await loadAll(ready)
  return signal.aborted ? EXIT.interrupted : await print(ready)
}

/** Scans the inputs, if possible. True when the scan has all events of the query, which can then be queried. */
async function isScannedWhole(ready: InputRun): Promise<boolean> {
  const { service, unread, lineScan } = ready
  // Files that have to be read again get their notices then.
  const notices: string[] = []
  const context = { ...ready.context, info: (text: string) => void notices.push(text) }
  const scan = ready.scan ?? (lineScan && (await scanAll(lineScan, { ...ready, context })))
  const group = await scan?.finish()
  if (scan === undefined || group === undefined) {
    unread.clear()
    addShrunk(ready.scan, unread)
    return false
  }
  for (const text of notices) ready.context.info(text)
  unread.events += group.events
  await service.show(scan, group)
  return true
}

async function loadAll(ready: InputRun): Promise<void> {
  const { inputs, copies, service, unread, request } = ready
  const empty: string[] = []
  const all = inputs.flatMap(({ files }) => files)
  const progress = await openReadingProgress(all, unread, ready.context)
  try {
    for (const { dataset, files } of inputs) {
      const before = unread.events
      await loadFiles(dataset, files, { ...ready, progress })
      if (unread.events === before) empty.push(dataset)
    }
  } finally {
    progress.close()
  }
  checkReadable(unread)
  for (const { dataset, path, fields } of copies) {
    // Events of a copy are not counted as events of the inputs.
    const copied = new Unread()
    const reading = { inputFormat: 'ndjson', timestampField: '_time' }
    await loadFiles(dataset, [path], { ...ready, reading, unread: copied })
    if (copied.events === 0) await service.clear(dataset)
    service.assume(dataset, fields)
  }
  // Without events no fields are known, so the fields of the query are not mistakes.
  for (const dataset of empty) await service.clear(dataset)
  for (const dataset of empty) await service.assumeFieldsOf(request, dataset)
}

async function print({ plan, options, service, context }: InputRun): Promise<ExitCode> {
  const { apl, main } = plan
  const { file: _, ...flags } = options
  // Unless it is shown on a terminal, the result has all events that a filter finds, in any format.
  const limit =
    flags.limit ?? (plan.isStream && !isShown(flags, context.io) ? FILE_ROWS : undefined)
  // The caller closes the service.
  const connection = { ...service.connection, close: async () => {} }
  const target = async () => ({ connection, isLocal: true })
  return await executeQuery(
    { ...flags, ...(limit && { limit }), apl, hasInputs: true, mainInput: main?.dataset },
    context,
    target,
  )
}
