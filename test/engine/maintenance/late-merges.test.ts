import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openEmbedded } from '../../../src/engine/clickhouse/embedded.js'
import type { Engine } from '../../../src/engine/engine.js'
import type { FileStatement } from '../../../src/engine/file-statement.js'
import { lateMerges } from '../../../src/engine/maintenance/late-merges.js'
import { numberIn } from '../../../src/engine/response.js'
import { sql } from '../../../src/sql/sql.js'
import { needsEmbedded, wrapped } from '../../support/engine.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { closeIdleEngine } from '../temporary-store.js'

const NEVER_MS = 3_600_000
/** The engine merges ten parts at once. */
const MERGED = 10

/** Returns an engine with an empty dataset `x`, whose loads add a row each, and which answers questions after `askMs`. */
async function open(directory: string, idleMs: number, askMs = 0) {
  await closeIdleEngine()
  const engine = await openEmbedded({ directory: join(directory, 'engine') })
  await engine.run(sql`
    CREATE TABLE IF NOT EXISTS datasets.x (n UInt64) ENGINE = MergeTree ORDER BY n
    SETTINGS merge_selector_base = ${MERGED}`)
  const load = () => engine.run(sql`INSERT INTO datasets.x VALUES (1)`)
  const ask: Engine['ask'] = async (...question) => {
    await sleep(askMs)
    return await engine.ask(...question)
  }
  const late = await lateMerges(wrapped(engine, { load, ask }), idleMs)
  onTestFinished(async () => void (await late.close()))
  const insert = { stores: { dataset: 'x' } } as FileStatement
  return {
    late,
    insert: load,
    async load(times: number) {
      for (let i = 0; i < times; i++) await late.load(insert)
    },
  }
}

async function parts(engine: Engine): Promise<number> {
  const result = await engine.ask(sql`
    SELECT toFloat64(count()) AS n FROM system.parts WHERE active AND table = 'x'`)
  return numberIn(result, 'n')
}

/** Resolves when a table of so many parts was merged. */
async function merged(engine: Engine, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await parts(engine)).toBeLessThan(count), 60_000)
}

it('stops merges while events are loaded, but not deletions', needsEmbedded, async () => {
  const { late, load } = await open(temporaryDirectory(), NEVER_MS)
  await load(MERGED + 2)
  expect(await parts(late)).toBe(MERGED + 2)
  await late.change({
    kind: 'events',
    dataset: 'x',
    statement: (table) => sql`ALTER TABLE ${table} DELETE WHERE n = 1 SETTINGS mutations_sync = 1`,
  })
  expect(numberIn(await late.ask(sql`SELECT toFloat64(count()) AS n FROM datasets.x`), 'n')).toBe(0)
  await load(MERGED)
  await merged(late, MERGED)
})

it('does not stop a deletion during which events are loaded', needsEmbedded, async () => {
  const { late, load, insert } = await open(temporaryDirectory(), NEVER_MS)
  for (let i = 1; i < MERGED; i++) await insert()
  const deletion = late.change({
    kind: 'events',
    dataset: 'x',
    // The engine sleeps before it rewrites each part.
    statement: (table) =>
      sql`ALTER TABLE ${table} DELETE WHERE sleepEachRow(0.1) = 0 SETTINGS mutations_sync = 1, allow_nondeterministic_mutations = 1`,
  })
  // Another deletion that ends earlier changes nothing.
  await late.change({ kind: 'events', dataset: 'x', statement: () => sql`SELECT 1` })
  await load(3)
  await deletion
})

it('starts merges when no events are loaded', needsEmbedded, async () => {
  const { late, load } = await open(temporaryDirectory(), 100)
  await load(MERGED + 2)
  await merged(late, MERGED)
})

it(
  'starts merges when the engine counts parts for longer than it waits',
  needsEmbedded,
  async () => {
    const { late, load } = await open(temporaryDirectory(), 10, 100)
    await load(MERGED + 2)
    await merged(late, MERGED)
  },
)

it('starts merges when there are many parts', needsEmbedded, async () => {
  const { late, load } = await open(temporaryDirectory(), NEVER_MS)
  await load(45)
  await merged(late, 40)
})

it('starts merges of parts that it finds, a while after the start', needsEmbedded, async () => {
  const directory = temporaryDirectory()
  const first = await open(directory, NEVER_MS)
  await first.load(MERGED + 2)
  await first.late.close()
  const { late } = await open(directory, 100)
  await merged(late, MERGED)
})
