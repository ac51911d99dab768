import { main } from '../../src/main.js'
import { fakeIo } from './fake-io.js'

export interface RunToEnd {
  readonly url: string
  readonly stdin?: string
  readonly files?: readonly string[]
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
