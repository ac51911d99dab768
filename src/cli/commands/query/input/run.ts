import type { AplRequest } from '../../../../wire/http/query.js'
import { FILE_ROWS } from '../../../../wire/limits.js'
import { aroundOf } from '../../../around/options.js'
import { closeConnection } from '../../../connection/with-connection.js'
import { type Context, clock } from '../../../context.js'
import { UsageError } from '../../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { spareInputs } from '../../../file/spare-inputs.js'
import { conversionThreads } from '../../../ingest/read/inputs.js'
import { timeRange } from '../../../option/time-range.js'
import { isFile } from '../../../output/flags.js'
import { requestOf } from '../../../query/request-options.js'
import { interruptible } from '../../../terminal/interrupt.js'
import { executeQuery } from '../execute-query.js'
import type { QueryOptions } from '../options.js'
import { prepareInputAround, printInputAround } from './around.js'
import { copyDatasets, type DatasetCopy } from './copy-datasets.js'
import { scanAll } from './line-scan.js'
import { loadFiles } from './load.js'
import { readingOptions } from './options.js'
import type { InputFiles, InputPlan } from './plan.js'
import { openReadingProgress } from './progress.js'
import { checkReadable, filesOf } from './read.js'
import { isRegularFile, isScannedQuery, type ScanOptions, startScan } from './scan.js'
import { type InputService, openInputService } from './service.js'
import { type StreamFormat, type Streaming, streamFormat, streamRows } from './stream.js'
import { addShrunk, Unread } from './unread.js'

/** Runs a query over files or standard input in a temporary service of this process, and prints its result. */
export async function runInputQuery(
  plan: InputPlan,
  options: QueryOptions,
  context: Context,
): Promise<ExitCode> {
  const around = aroundOf(options)
  const { main } = plan
  if (around !== undefined && main === undefined) {
    throw new UsageError(
      '`-A`, `-B` and `-C` are for files that `-i` names: `evq query -i app.log "where level == \'error\'" -C 3`.',
    )
  }
  const marked =
    around === undefined || main === undefined || options.check || options.explain
      ? undefined
      : { around, query: await prepareInputAround({ plan: { ...plan, main }, options }, around) }
  const reading = readingOptions(options)
  const inputs = await Promise.all(
    [...(plan.main ? [plan.main] : []), ...plan.files.values()].map(namedFiles),
  )
  const read = inputs.flatMap(({ files }) => files)
  await spareInputs({ '-O': options.out }, read, context.io)
  // Signals are handled from here on, so that the temporary directory is always removed.
  return await interruptible(async (interrupt) => {
    const { startEngine } = await import('../../../../local/engine-start.js')
    startEngine()
    const { openTemporaryDirectory } = await import('../../../../local/temporary-directory.js')
    const { path, remove } = await openTemporaryDirectory()
    try {
      const copied = { directory: path, range: rangeOf(options, context), interrupt }
      const copies = await copyDatasets(plan.datasets, copied, context)
      const { signal } = interrupt
      const format = streamFormat({ plan, options }, context)
      const files = inputs[0]?.files ?? []
      const isSorted = marked?.query.isByTime === true
      const scanning: ScanOptions = {
        dataset: main?.dataset ?? '',
        // A query with marks uses all fields.
        fields: marked === undefined ? plan.fields : undefined,
        isInGroups: format !== undefined || marked !== undefined,
        files,
        reading,
        directory: path,
        now: clock(context.io),
      }
      // Only stored events are read page by page in the order of their times.
      const isScanned = main !== undefined && !isSorted && isScannedQuery(plan, reading)
      const scan = isScanned ? await startScan(scanning, signal, context) : undefined
      // A pipe can't be read again to store its events.
      const isReadable = scanning.isInGroups || files.every(isRegularFile)
      const lineScan = isScanned && isReadable ? scanning : undefined
      const stop = () => void scan?.close()
      signal.addEventListener('abort', stop)
      const opening = openInputService({ plan, reading, directory: path }, context)
      const service = await opening.finally(() => opening.catch(stop))
      const threads = conversionThreads()
      try {
        const { connection } = service
        const unread = new Unread()
        const loading = { connection, reading, context, unread, signal, threads }
        const ready = { plan, inputs, copies, service, loading, marked, format, scan, lineScan }
        const code = await run(ready, options, context)
        if (interrupt.signal.aborted) return EXIT.interrupted
        unread.report(context)
        return code === EXIT.done && !unread.isComplete ? EXIT.incomplete : code
      } finally {
        signal.removeEventListener('abort', stop)
        await scan?.close()
        await threads?.close()
        await closeConnection(service.connection, interrupt)
      }
    } finally {
      remove()
    }
  })
}

interface NamedFiles extends Pick<InputFiles, 'dataset'> {
  readonly files: readonly string[]
}

async function namedFiles({ dataset, patterns }: InputFiles): Promise<NamedFiles> {
  return { dataset, files: await filesOf(patterns) }
}

function rangeOf(options: QueryOptions, { io }: Context) {
  return timeRange(options, clock(io)())
}

/** An input query that is ready to run. */
interface InputRun extends Pick<Streaming, 'service' | 'loading' | 'scan' | 'lineScan'> {
  readonly plan: InputPlan
  readonly inputs: readonly NamedFiles[]
  readonly copies: readonly DatasetCopy[]
  /** Set when the events around the rows are printed, too. */
  readonly marked: Parameters<typeof printInputAround>[1] | undefined
  /** Set when rows are printed while the input is read. */
  readonly format: StreamFormat | undefined
}

async function run(ready: InputRun, options: QueryOptions, context: Context): Promise<ExitCode> {
  const { plan, inputs, service, loading, format, marked } = ready
  const { main } = plan
  const request = requestOf(plan.apl, rangeOf(options, context), options)
  const [input] = inputs
  if (main !== undefined && input !== undefined) {
    const streaming = { ...ready, plan: { ...plan, main }, files: input.files, request, options }
    if (marked !== undefined) {
      if (marked.query.isByTime) await loadAll(ready, request)
      return loading.signal.aborted
        ? EXIT.interrupted
        : await printInputAround(streaming, marked, context)
    }
    if (format !== undefined) return await streamRows(streaming, format, context)
  }
  if (!(await isScannedWhole(ready))) await loadAll(ready, request)
  return loading.signal.aborted
    ? EXIT.interrupted
    : await print(plan, { options, service }, context)
}

/** Scans the inputs, if possible. True when the scan has all events of the query, which can then be queried. */
async function isScannedWhole(ready: InputRun): Promise<boolean> {
  const { service, loading, lineScan } = ready
  const { unread } = loading
  // Files that have to be read again get their notices then.
  const notices: string[] = []
  const context = { ...loading.context, info: (text: string) => void notices.push(text) }
  const scan = ready.scan ?? (lineScan && (await scanAll(lineScan, { ...loading, context })))
  const group = await scan?.finish()
  if (scan === undefined || group === undefined) {
    unread.clear()
    addShrunk(ready.scan, unread)
    return false
  }
  for (const text of notices) loading.context.info(text)
  unread.events += group.events
  await service.show(scan, group)
  return true
}

async function loadAll(
  { inputs, copies, service, loading }: InputRun,
  request: AplRequest,
): Promise<void> {
  const { unread } = loading
  const empty: string[] = []
  const all = inputs.flatMap(({ files }) => files)
  const progress = await openReadingProgress(all, unread, loading.context)
  try {
    for (const { dataset, files } of inputs) {
      const before = unread.events
      await loadFiles(dataset, files, { ...loading, progress })
      if (unread.events === before) empty.push(dataset)
    }
  } finally {
    progress.close()
  }
  checkReadable(loading.unread)
  for (const { dataset, path, fields } of copies) {
    // Events of a copy are not counted as events of the inputs.
    const copied = new Unread()
    const reading = { inputFormat: 'ndjson', timestampField: '_time' }
    await loadFiles(dataset, [path], { ...loading, reading, unread: copied })
    if (copied.events === 0) await service.clear(dataset)
    service.assume(dataset, fields)
  }
  // Without events no fields are known, so the fields of the query are not mistakes.
  for (const dataset of empty) await service.clear(dataset)
  for (const dataset of empty) await service.assumeFieldsOf(request, dataset)
}

async function print(
  plan: InputPlan,
  { options, service }: { readonly options: QueryOptions; readonly service: InputService },
  context: Context,
): Promise<ExitCode> {
  const { apl, main } = plan
  const { file: _, ...flags } = options
  const isShown = context.io.stdout.isTTY === true && !isFile(flags.out)
  // Unless it is shown on a terminal, the result has all events that a filter finds, in any format.
  const limit = flags.limit ?? (plan.isStream && !isShown ? FILE_ROWS : undefined)
  // The caller closes the service.
  const connection = { ...service.connection, close: async () => {} }
  const target = async () => ({ connection, isLocal: true })
  return await executeQuery(
    { ...flags, ...(limit && { limit }), apl, hasInputs: true, mainInput: main?.dataset },
    context,
    target,
  )
}
