import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RUNS } from '../support/runs.js'
import { type Reply, type Served, served } from '../support/served.js'
import { fault } from './judge.js'
import { mutation } from './mutation.js'
import { query } from './query.js'
import { randomOf } from './random.js'

// Random queries through the whole service: each has rows or a problem, and none
// reveals the engine. The number of a query is its seed: `EVQ_RUNS` decides the number of queries,
// `EVQ_FUZZ_FROM` the first one.

const COUNT = 20 * RUNS
const FROM = Number(process.env.EVQ_FUZZ_FROM ?? 0)
const IN_FLIGHT = 4
/** The maximum number of failures to print. */
const MOST_FAULTS = 30
/** The timeout of a query; none of these should reach it. */
const QUERY_MS = 120_000

const CASES = join(import.meta.dirname, '../cases')
const CASE_QUERIES = readdirSync(CASES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.txt'))
  .sort()
  .map(
    (file) => /^--- query\n(.*?)^--- /ms.exec(readFileSync(join(CASES, file), 'utf8'))?.[1] ?? '',
  )
  .map((text) => text.replaceAll('odd names', 'odd-names').trim())

let service: Served

beforeAll(async () => {
  service = await served({ queryTimeoutMs: QUERY_MS })
  for (const name of ['http', 'numbers', 'odd names']) {
    const events = readFileSync(join(CASES, 'events', `${name}.ndjson`), 'utf8')
    await service.ingest(name.replace(' ', '-'), events.trim().split('\n'))
  }
})

afterAll(() => service.close())

it(
  `answers ${COUNT} odd queries with rows or problems`,
  async () => {
    const faults: string[] = []
    let succeeded = 0
    let seed = FROM
    const worker = async (): Promise<void> => {
      while (seed < FROM + COUNT && faults.length < MOST_FAULTS) {
        const mine = seed++
        const apl = oddQuery(mine)
        const reply = await service.ask(apl).catch((error: unknown) => String(error))
        if (typeof reply === 'object' && reply.status === 200) succeeded++
        const fault = typeof reply === 'string' ? reply : faultOf(apl, reply)
        if (fault !== undefined) faults.push(`${mine}: ${apl}\n  ${fault}`)
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
    expect(faults.join('\n\n')).toBe('')
    // The test would prove little if most queries were rejected.
    if (COUNT >= 500) expect(succeeded / COUNT).toBeGreaterThan(0.2)
  },
  // A hang ends here without naming the query: `EVQ_FUZZ_FROM` finds it.
  300_000 + COUNT * 200,
)

function oddQuery(seed: number): string {
  const random = randomOf(seed)
  return seed % 2 === 0 ? query(random) : mutation(random, CASE_QUERIES)
}

function faultOf(apl: string, reply: Reply): string | undefined {
  const problem = fault(apl, reply)
  if (reply.status === 432) return `took too much: ${'error' in reply && reply.error.message}`
  if (reply.status !== 500 || !('error' in reply)) return problem
  const [, cause] = [...service.reported].find(([id]) => reply.error.message.includes(id)) ?? []
  return `${problem}\n  ${String(cause).slice(0, 600)}`
}
