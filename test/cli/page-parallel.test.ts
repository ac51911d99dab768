import { readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataDirectory, openDataDirectory } from '../../src/local/open-directory.js'
import { main } from '../../src/main.js'
import { DEFAULT_LIMITS } from '../../src/service/limits.js'
import { type Listener, listen } from '../../src/service/listener/listen.js'
import { fakeIo } from '../support/fake-io.js'
import { RUNS } from '../support/runs.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const directory = temporaryDirectory()
const isLong = RUNS > 100
const NOW = BigInt(Date.UTC(2026, 0, 31, 12)) * 1_000_000n

/** Few and many events of one time, at the edges of milliseconds and between them; some are equal. */
const EVENTS = 6_000
const lines = Array.from({ length: EVENTS }, (_, i) => {
  const second = i % 7 === 0 ? 1 : 10 + (i % 5)
  const fraction = ['000', '001', '999999999', '000000001', '5'][i % 3]
  return `{"_time":"2026-01-01T00:00:${String(second).padStart(2, '0')}.${fraction}Z","n":${i % 1500},"text":"a\\n${i % 2}"}\n`
}).join('')

let owned: DataDirectory | undefined
let listener: Listener
let env: Record<string, string>
let inFlight = 0
/** The most requests in flight. */
let most = 0
/** Delays the responses of a test. */
let delay = async (): Promise<unknown> => undefined

beforeAll(async () => {
  const report = () => {}
  owned = await openDataDirectory({ directory, now: () => NOW, limits: DEFAULT_LIMITS, report })
  const { app } = owned!
  listener = await listen({
    async app(request) {
      most = Math.max(most, ++inFlight)
      await delay()
      return await app(request).finally(() => inFlight--)
    },
    address: { host: '127.0.0.1', port: 0 },
    trusted: true,
  })
  const { port } = listener.address as { readonly port: number }
  env = { EVQ_URL: `http://127.0.0.1:${port}`, XDG_STATE_HOME: directory }
  expect(await main(['ingest', 'logs', '-q'], fakeIo({ env, stdin: lines }))).toBe(0)
})

afterAll(async () => {
  await listener?.close({ graceMs: 0 })
  await owned?.close()
})

/** Begins to count: the service may still be ending requests that an earlier export has canceled. */
async function startCounting(): Promise<void> {
  await until(() => inFlight === 0, 'no request is in flight')
  most = 0
}

/** Runs an export; returns its output and messages. */
async function page(...args: readonly string[]) {
  const io = fakeIo({ env })
  const exitCode = await main(['page', "['logs']", ...args], io)
  return { exitCode, out: io.out(), err: io.err() }
}

describe('a parallel export', () => {
  it('has the same bytes as a sequential one', async () => {
    const ways = fc.record({
      format: fc.constantFrom('csv', 'json', 'ndjson'),
      direction: fc.constantFrom('asc', 'desc'),
      pageSize: fc.integer({ min: isLong ? 20 : 100, max: 600 }),
      parallel: fc.integer({ min: 1, max: 9 }),
      since: fc.constantFrom([], ['--since', '2026-01-01T00:00:10.001Z']),
      rows: fc.constantFrom([], ['--max-rows', '4321'], ['--max-rows', String(EVENTS)]),
    })
    await fc.assert(
      fc.asyncProperty(ways, async ({ format, direction, pageSize, parallel, since, rows }) => {
        const args = ['-o', format, '--direction', direction, ...since, ...rows]
        const sequential = await page(...args)
        await startCounting()
        const sizes = ['--page-size', String(pageSize), '--parallel', String(parallel)]
        const { exitCode, out, err } = await page(...args, ...sizes)
        expect({ exitCode, isSame: out === sequential.out }, err).toEqual({
          exitCode: sequential.exitCode,
          isSame: true,
        })
        expect(most).toBeLessThanOrEqual(parallel)
        const count = /^[\d,]+ rows (\(all matching\))?/m
        expect(count.exec(err)?.[0]).toBe(count.exec(sequential.err)?.[0])
      }),
      { numRuns: RUNS / 5, endOnFailure: true },
    )
  })

  it('sends several requests at once', async () => {
    await startCounting()
    let requests = 0
    // The first three, one after the other, request the newest event, the range, and the number of rows in its parts.
    delay = async () => ++requests > 3 && (await until(() => most >= 4, 'four requests at once'))
    const { exitCode, err } = await page('--page-size', '100', '--parallel', '4')
    delay = async () => undefined
    expect({ exitCode, most }, err).toEqual({ exitCode: 0, most: 4 })
  })

  it('resumes after an interruption, also with another number of requests', async () => {
    const file = (name: string) => join(directory, name)
    const expected = (await page('-o', 'csv')).out
    for (const stopAfter of isLong ? [1, 5, 9] : [1, 7]) {
      const [checkpoint, out] = [file(`${stopAfter}.state`), file(`${stopAfter}.csv`)]
      const args = ['--page-size', '150', '--checkpoint', checkpoint, '-O', out]
      // The checkpoint and the partial file of a run that was killed after some pages.
      const saved = await interrupted([...args, '--parallel', '3'], { checkpoint, out }, stopAfter)
      expect(saved).toBeLessThan(EVENTS)
      const { exitCode, err } = await page(...args, '--parallel', '5')
      expect(exitCode, err).toBe(0)
      expect(err).toContain('Resuming after')
      expect(readFileSync(out, 'utf8') === expected).toBe(true)
    }
  })

  it('does not mention the number of matching rows when `--max-rows` ends it', async () => {
    const { err } = await page('--page-size', '100', '--parallel', '4', '--max-rows', '1234')
    expect(err).toContain('Limited to 1,234 rows;')
    expect(err).not.toContain('verified')
  })

  it('is not by cursor, and of at most 16 requests', async () => {
    expect(await page('--parallel', '2', '--by', 'cursor')).toMatchObject({ exitCode: 2 })
    const { exitCode, err } = await page('--parallel', '17')
    expect(exitCode).toBe(2)
    expect(err).toContain('`--parallel` takes a whole number from 1 to 16, not `17`.')
  })

  it('reports an invalid query as written', async () => {
    const io = fakeIo({ env })
    expect(await main(['page', "['logs'] | where nope", '--parallel', '2'], io)).toBe(2)
    expect(io.err()).toContain("1 | ['logs'] | where nope\n")
  })
})

/** Interrupts an export when its checkpoint was written some times; returns the number of rows in it. */
async function interrupted(
  args: readonly string[],
  { checkpoint, out }: { readonly checkpoint: string; readonly out: string },
  writes: number,
): Promise<number> {
  const io = fakeIo({ env })
  let seen = 0
  let copy = { state: '', part: Buffer.alloc(0) }
  const watcher = watch(directory, (_, name) => {
    if (name === null || !checkpoint.endsWith(`/${name}`) || ++seen > writes) return
    copy = { state: readFileSync(checkpoint, 'utf8'), part: readFileSync(`${out}.part`) }
  })
  expect(await main(['page', "['logs']", ...args], io)).toBe(0)
  watcher.close()
  expect(seen).toBeGreaterThan(0)
  rmSync(out)
  writeFileSync(checkpoint, copy.state)
  writeFileSync(`${out}.part`, copy.part)
  return JSON.parse(copy.state).progress.rows
}
