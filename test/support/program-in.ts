import { afterAll, beforeAll } from 'vitest'
import { type DataDirectory, openDataDirectory } from '../../src/local/open-directory.js'
import { evqInProcess } from './evq-in-process.js'

/** Runs commands on a data directory that stays open until the tests of the file have ended. */
export function programIn(directory: string, env: Readonly<Record<string, string>> = {}) {
  let owned: DataDirectory | undefined
  beforeAll(async () => {
    owned = await openDataDirectory({ directory, now: () => BigInt(Date.now()) * 1_000_000n })
  })
  afterAll(() => owned?.close())

  const run = (args: readonly string[], stdin?: string | Buffer) =>
    evqInProcess(args, { directory, env, ...(stdin !== undefined && { stdin }) })
  /** Returns the rows of a query; fails with the messages of the program when there are none. */
  async function query(apl: string): Promise<Record<string, unknown>[]> {
    const { stdout, stderr } = await run(['query', apl, '-o', 'ndjson'])
    if (stdout === '') throw new Error(stderr)
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  return { run, query }
}
