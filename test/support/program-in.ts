import { evq } from './evq.js'

/** Runs the real program with a data directory. */
export function programIn(directory: string) {
  const run = (args: readonly string[], stdin?: string) =>
    evq(args, { directory, ...(stdin !== undefined && { stdin }) })
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
