import { Readable } from 'node:stream'
import { main } from '../../src/main.js'
import type { Ended, EvqOptions } from './evq.js'
import { fakeIo } from './fake-io.js'
import { showOnFailure } from './shown-runs.js'

/**
 * Runs a command line in this process, which costs a fraction of the CPU time of a process with an engine. Commands that
 * open an engine must not overlap.
 */
export async function evqInProcess(
  args: readonly string[],
  { directory, stdin = '', env }: Omit<EvqOptions, 'spawn'>,
): Promise<Ended> {
  const io = fakeIo({ env: { EVQ_DATA_DIR: directory, ...env }, now: Date.now() })
  const input = stdin instanceof Readable ? stdin : Readable.from([stdin])
  let end: number | undefined
  showOnFailure(() => ({
    command: `evq ${args.join(' ')}`,
    end,
    stdout: io.out(),
    stderr: io.err(),
  }))
  const status = await main(args, { ...io, stdin: Object.assign(input, { isTTY: false }) })
  end = status
  return { status, signal: null, stdout: io.out(), stderr: io.err() }
}
