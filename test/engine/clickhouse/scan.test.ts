import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../../src/engine/clickhouse/embedded.js'
import type { Engine } from '../../../src/engine/engine.js'
import { numberIn } from '../../../src/engine/response.js'
import { sql } from '../../../src/sql/sql.js'
import { nativeColumns, nativeHead } from '../../../src/wire/native/native-block.js'
import { removeDirectory } from '../../support/remove-directory.js'
import { until } from '../../support/until.js'

const LIMITS = { timeoutMs: 120_000, memoryBytes: 64 * 1024 * 1024 }
/** Writes a row every 10 ms for a minute, each in a block of its own. */
const ENDLESS = sql`SELECT repeat('x', 65536) AS endless, sleepEachRow(0.01) FROM numbers(6000) SETTINGS max_block_size = 1`
const ROUNDS = process.env.EVQ_LONG ? 9 : 3
const ABORTED = new Error('nobody reads it')

async function isRunning(engine: Engine): Promise<boolean> {
  const found = await engine.ask(
    sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%AS endless%' AND query NOT LIKE '%system.processes%'`,
  )
  return numberIn(found, 'n') > 0
}

const rowsIn = (block: Buffer): number => nativeHead(block)?.rows ?? Number.NaN

/** Returns the numbers in the first column of a block. */
function numbersIn(block: Buffer): readonly number[] {
  const head = nativeHead(block)!
  const { columns, end } = nativeColumns(block, { ...head, at: head.end })!
  expect(end).toBe(block.length)
  const { values } = columns[0]!
  return Array.from({ length: head.rows }, (_, row) =>
    Number(block.readBigUInt64LE(values + 8 * row)),
  )
}

/** Returns the number of rows of a scan, and the error that it ended with. */
async function outcome(scan: AsyncIterable<Buffer>): Promise<{ rows: number; error?: unknown }> {
  let rows = 0
  try {
    for await (const block of scan) rows += rowsIn(block)
    return { rows }
  } catch (error) {
    return { rows, error }
  }
}

describe('a scan', () => {
  let directory: string
  let engine: Engine

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
    engine = await openEmbedded({ directory })
  })

  // The last test closes the engine.
  afterAll(() => removeDirectory(directory))

  it('yields all rows of a result that is larger than the memory limit', async () => {
    const rows = 2000
    const long = sql`SELECT number AS n, repeat('é"', 30000) AS text FROM numbers(${rows}) ORDER BY number SETTINGS max_block_size = 10`
    let bytes = 0
    let found = 0
    for await (const block of engine.scan!(sql`SELECT * FROM (${long})`, LIMITS)) {
      found += rowsIn(block)
      bytes += block.length
    }
    expect(found).toBe(rows)
    // Each text has 30,000 times a character of two bytes and a quote.
    expect(bytes).toBeGreaterThan(rows * 3 * 30_000)
  })

  it('yields no rows', async () => {
    expect(await outcome(engine.scan!(sql`SELECT 1 WHERE 0`, LIMITS))).toEqual({ rows: 0 })
  })

  it('yields the first rows while the rest is computed, and ends the query that the caller leaves', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      for await (const block of engine.scan!(sql`SELECT * FROM (${ENDLESS})`, LIMITS)) {
        // The first block has the types of the columns.
        if (rowsIn(block) === 0) continue
        expect(await isRunning(engine)).toBe(true)
        break
      }
      await until(async () => !(await isRunning(engine)), 'the query ended')
    }
  })

  it('yields whole blocks, and leaves nothing to the next query when a block fails', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const blocks: Buffer[] = []
      const failed = (async () => {
        const limits = { ...LIMITS, blockRows: 100_000 }
        const query = sql`SELECT number AS n, throwIf(number = 300000) AS x FROM numbers(1000000)`
        for await (const block of engine.scan!(query, limits)) blocks.push(block)
      })()
      await expect(failed).rejects.toMatchObject({ name: 'EngineError', code: 395 })
      const numbers = blocks.flatMap(numbersIn)
      expect(numbers).toEqual([...numbers.keys()])
      expect(await engine.read(sql`SELECT 42 AS n`, LIMITS)).toMatchObject({
        columns: new Map([['n', '[42]']]),
      })
    }
    const all: number[] = []
    const query = sql`SELECT number AS n FROM numbers(3000) ORDER BY n`
    for await (const block of engine.scan!(query, { ...LIMITS, blockRows: 1000 })) {
      all.push(...numbersIn(block))
    }
    expect(all).toEqual([...Array(3000).keys()])
  })

  it('rejects before the first row when the query is invalid or writes', async () => {
    for (const query of [
      sql`SELECT nope`,
      sql`INSERT INTO FUNCTION null('n UInt8') SELECT 1 AS n`,
    ]) {
      const error = expect.objectContaining({ name: 'EngineError' })
      expect(await outcome(engine.scan!(query, LIMITS))).toEqual({ rows: 0, error })
    }
  })

  it('rejects at its timeout', async () => {
    const limits = { ...LIMITS, timeoutMs: 300 }
    const { error } = await outcome(engine.scan!(sql`SELECT * FROM (${ENDLESS})`, limits))
    expect(error).toMatchObject({ code: 159 })
  })

  it('rejects with the reason of its signal, also while it computes the next rows', async () => {
    const early = AbortSignal.abort(ABORTED)
    const refused = await outcome(engine.scan!(ENDLESS, { ...LIMITS, signal: early }))
    expect(refused).toEqual({ rows: 0, error: ABORTED })
    for (const delayMs of [0, 50]) {
      const given = new AbortController()
      const limits = { ...LIMITS, signal: given.signal }
      const scan = engine.scan!(sql`SELECT * FROM (${ENDLESS})`, limits)
      await scan.next()
      setTimeout(() => given.abort(ABORTED), delayMs)
      expect((await outcome(scan)).error).toBe(ABORTED)
      await until(async () => !(await isRunning(engine)), 'the query ended')
    }
    expect((await engine.read(sql`SELECT 1 AS n`, LIMITS)).rows).toBe(1)
  })

  it('rejects when the engine is closed', async () => {
    const scan = engine.scan!(sql`SELECT * FROM (${ENDLESS})`, LIMITS)
    await scan.next()
    expect(await engine.close()).toBe(true)
    expect((await outcome(scan)).error).toMatchObject({ name: 'EngineError' })
    expect((await outcome(engine.scan!(ENDLESS, LIMITS))).error).toMatchObject({ code: 236 })
  })
})
