// `evq query -i app.log` on a terminal: the files are read once, and queries at the prompt that begin with an operator read their
// events.

import type { TemporaryDirectory } from '../../../../local/temporary-directory.js'
import { counted } from '../../../../text/integer.js'
import { wrapText } from '../../../../text/wrap.js'
import { closeConnection } from '../../../connection/with-connection.js'
import type { Context } from '../../../context.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { spareInputs } from '../../../file/spare-inputs.js'
import { interruptible, listenForInterrupt } from '../../../terminal/interrupt.js'
import { loadFiles } from '../input/load.js'
import { readingOptions } from '../input/options.js'
import { nameOf } from '../input/plan.js'
import { openReadingProgress } from '../input/progress.js'
import { checkReadable, filesIn, filesOf } from '../input/read.js'
import { type InputService, openInputService } from '../input/service.js'
import { Unread } from '../input/unread.js'
import type { QueryOptions } from '../options.js'
import { runPrompt } from './prompt.js'
import { PromptQueries } from './queries.js'

export async function openInputPrompt(
  { input: patterns = [], ...options }: QueryOptions,
  context: Context,
): Promise<ExitCode> {
  const reading = readingOptions(options)
  const named = await filesOf(patterns)
  await spareInputs({ '-O': options.out }, named, context.io)
  const files = await filesIn(named, reading, context)
  const dataset = nameOf(named[0] ?? 'input', new Set())
  const opened: OpenedFiles = {}
  try {
    const code = await interruptible(async ({ signal }) => {
      const { openTemporaryDirectory } = await import('../../../../local/temporary-directory.js')
      opened.directory = await openTemporaryDirectory()
      const plan = { main: { dataset, patterns: files }, files: new Map() }
      const { path } = opened.directory
      opened.service = await openInputService({ plan, reading, directory: path }, context)
      const read = { dataset, files, service: opened.service }
      return await loadAll(read, { reading, signal }, context)
    })
    const { service } = opened
    if (code !== EXIT.done || service === undefined) return code
    const { connection } = service
    const target = { connection, isLocal: true, input: { dataset, files: named } }
    return await runPrompt(new PromptQueries(target, options, context))
  } finally {
    await close(opened)
  }
}

/** The resources of a prompt on files, as far as they are open. */
interface OpenedFiles {
  directory?: TemporaryDirectory
  service?: InputService
}

async function close({ directory, service }: OpenedFiles): Promise<void> {
  const interrupt = listenForInterrupt()
  try {
    if (service === undefined) return
    await closeConnection(service.connection, interrupt)
  } finally {
    interrupt.release()
    directory?.remove()
  }
}

interface PromptFiles {
  readonly dataset: string
  readonly files: readonly string[]
  readonly service: InputService
}

async function loadAll(
  { dataset, files, service }: PromptFiles,
  { reading, signal }: { reading: ReturnType<typeof readingOptions>; signal: AbortSignal },
  context: Context,
): Promise<ExitCode> {
  const unread = new Unread()
  const { connection } = service
  const progress = await openReadingProgress(files, unread, context)
  const loading = { connection, reading, context, unread, signal }
  await loadFiles(dataset, files, { ...loading, progress }).finally(() => progress.close())
  if (signal.aborted) return EXIT.interrupted
  checkReadable(unread)
  unread.report(context)
  if (unread.events === 0) await service.clear(dataset)
  const { stdout } = context.io
  const events = counted(unread.events, 'event')
  const greeting = `${events} in ['${dataset}']. A query may begin with an operator: summarize count();`
  stdout.write(`${wrapText(greeting, stdout.columns)}\n`)
  return EXIT.done
}
