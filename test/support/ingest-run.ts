import { runIngest } from '../../src/cli/commands/ingest.js'
import type { Context } from '../../src/cli/context.js'
import type { IngestOptions } from '../../src/cli/ingest/option/options.js'
import { INGEST_RETRY } from '../../src/client/limits.js'
import { main } from '../../src/main.js'
import { fakeIo } from './fake-io.js'

export interface RunToEnd {
  readonly url: string
  readonly stdin?: string
  readonly files?: readonly string[]
  /** The flags by name; a flag without a value has an empty string. */
  readonly args?: Readonly<Record<string, string>>
}

/** `evq ingest logs` against a service, from the command line to the exit code. */
export async function runToEnd({ url, stdin, files = [], args = {} }: RunToEnd) {
  const io = fakeIo({ ...(stdin !== undefined && { stdin }), env: { EVQ_URL: url } })
  const flags = Object.entries(args).flatMap(([name, value]) =>
    [`--${name}`, value].filter((word) => word !== ''),
  )
  const exitCode = await main(['ingest', 'logs', ...files, ...flags], io)
  return { exitCode, err: io.err(), out: io.out() }
}

/** Does the same without delays between attempts; a failure that `main` would report is exit code 1. */
export async function runQuickly(url: string, options: Omit<IngestOptions, 'dataset'>) {
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  const context: Context = {
    io: fakeIo({ stdin: '', env: { EVQ_URL: url } }),
    flags: () => ({}),
    info: note,
    warn: note,
    debug: () => {},
    attach: () => false,
    hide: () => {},
    finish: () => {},
  }
  const retry = { ...INGEST_RETRY, attempts: 6, firstDelayMs: 1, maxDelayMs: 2 }
  const exitCode = await runIngest({ ...options, dataset: 'logs' }, context, retry).catch(
    (error: Error) => {
      notes.push(error.message)
      return 1
    },
  )
  return { exitCode, notes }
}
