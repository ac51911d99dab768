import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../../src/engine/clickhouse/embedded.js'
import { openRemote } from '../../../src/engine/clickhouse/open-address.js'
import type { Engine, EngineResult, StreamOptions } from '../../../src/engine/engine.js'
import { numberIn } from '../../../src/engine/response.js'
import { sql } from '../../../src/sql/sql.js'
import { needsServers, startServers } from '../../support/clickhouse-server.js'
import { removeDirectory } from '../../support/remove-directory.js'
import { until } from '../../support/until.js'

const CSV: StreamOptions = { format: 'CSV', timeoutMs: 120_000, memoryBytes: 64 * 1024 * 1024 }
/** Writes a row every 10 ms for a minute, in blocks of 64 KiB that are sent at once. */
const ENDLESS = sql`SELECT repeat('x', 65536) AS endless, sleepEachRow(0.01) FROM numbers(6000) SETTINGS max_block_size = 1`
/** Fails in the row 300,000 of a million. */
const FAILING = sql`SELECT if(throwIf(number = 300000, 'too far') = 0, repeat('"\n', 50), '') FROM numbers(1000000) SETTINGS max_block_size = 1000`
const ROUNDS = process.env.EVQ_LONG ? 9 : 3
const ABORTED = new Error('nobody reads it')

interface Opened {
  readonly engine: Engine
  close(): Promise<void>
}

async function embedded(): Promise<Opened> {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  const engine = await openEmbedded({ directory })
  return {
    engine,
    async close() {
      await engine.close()
      await removeDirectory(directory)
    },
  }
}

async function remote(): Promise<Opened> {
  const { servers, stop } = await startServers(1)
  const engine = await openRemote({ url: servers[0]!.url })
  return {
    engine,
    async close() {
      await engine.close()
      await stop()
    },
  }
}

async function isRunning(engine: Engine): Promise<boolean> {
  const found = await engine.ask(
    sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%AS endless%' AND query NOT LIKE '%system.processes%'`,
  )
  return numberIn(found, 'n') > 0
}

/** Returns the output of a stream, and the error that it ended with. */
async function outcome(stream: AsyncIterable<Buffer>): Promise<{ text: string; error?: unknown }> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of stream) pieces.push(piece)
    return { text: Buffer.concat(pieces).toString() }
  } catch (error) {
    return { text: Buffer.concat(pieces).toString(), error }
  }
}

describe.each([
  { name: 'the embedded engine', open: embedded, needs: {} },
  { name: 'a ClickHouse server', open: remote, needs: needsServers },
])('a stream of $name', ({ open, needs }) => {
  describe('reads', needs, () => {
    let opened: Opened
    let engine: Engine

    beforeAll(async () => {
      opened = await open()
      engine = opened.engine
    })
    afterAll(() => opened.close())

    it('yields all rows of a result that is larger than the memory limit', async () => {
      const rows = 2000
      const long = sql`SELECT number, repeat('é"', 30000) FROM numbers(${rows}) ORDER BY number SETTINGS max_block_size = 10`
      let bytes = 0
      for await (const piece of engine.stream(sql`SELECT * FROM (${long})`, CSV)) {
        bytes += piece.length
      }
      // Each row has its number, a comma, quotes around the string and a doubled quote in it, and a line feed.
      const digits = 10 * 1 + 90 * 2 + 900 * 3 + 1000 * 4
      expect(bytes).toBe(digits + rows * (1 + 2 + 4 * 30_000 + 1))
    })

    it('yields no rows, and rows of JSON', async () => {
      expect(await outcome(engine.stream(sql`SELECT 1 WHERE 0`, CSV))).toEqual({ text: '' })
      const json = { ...CSV, format: 'JSONCompactEachRow' } as const
      const query = sql`SELECT 1 AS a, 'Code: 1. DB::Exception: (version 1)' AS b`
      expect(await outcome(engine.stream(query, json))).toEqual({
        text: '[1, "Code: 1. DB::Exception: (version 1)"]\n',
      })
    })

    it('yields the first rows while the rest is computed, and ends the query that the caller leaves', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        for await (const piece of engine.stream(sql`SELECT * FROM (${ENDLESS})`, CSV)) {
          expect(piece.length).toBeGreaterThan(0)
          expect(await isRunning(engine)).toBe(true)
          break
        }
        await until(async () => !(await isRunning(engine)), 'the query ended')
      }
    })

    it('rejects after the first rows when a later one fails, and leaves no output to the next query', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { text, error } = await outcome(engine.stream(sql`SELECT * FROM (${FAILING})`, CSV))
        expect(error).toMatchObject({ name: 'EngineError', code: 395 })
        const row = `"${'""\n'.repeat(50)}"\n`
        expect(text.startsWith(row)).toBe(true)
        expect(text).not.toContain('Exception')
        expect(await engine.read(sql`SELECT 42 AS n`, CSV)).toMatchObject({
          columns: new Map([['n', '[42]']]),
        })
      }
    })

    it('rejects before the first row when the query is invalid or writes', async () => {
      for (const query of [
        sql`SELECT nope`,
        sql`INSERT INTO FUNCTION null('n UInt8') SELECT 1 AS n`,
      ]) {
        const { text, error } = await outcome(engine.stream(query, CSV))
        expect(text).toBe('')
        expect(error).toMatchObject({ name: 'EngineError' })
      }
    })

    it('rejects at its timeout', async () => {
      const limits = { ...CSV, timeoutMs: 300 }
      const { error } = await outcome(engine.stream(sql`SELECT * FROM (${ENDLESS})`, limits))
      expect(error).toMatchObject({ code: 159 })
    })

    it('rejects with the reason of its signal, also while it computes the next rows', async () => {
      const early = AbortSignal.abort(ABORTED)
      const refused = await outcome(engine.stream(ENDLESS, { ...CSV, signal: early }))
      expect(refused).toEqual({ text: '', error: ABORTED })
      for (const delayMs of [0, 50]) {
        const given = new AbortController()
        const limits = { ...CSV, signal: given.signal }
        const stream = engine.stream(sql`SELECT * FROM (${ENDLESS})`, limits)
        await stream.next()
        setTimeout(() => given.abort(ABORTED), delayMs)
        expect((await outcome(stream)).error).toBe(ABORTED)
        await until(async () => !(await isRunning(engine)), 'the query ended')
      }
      expect((await engine.read(sql`SELECT 1 AS n`, CSV)).rows).toBe(1)
    })
  })

  it('rejects when the engine is closed', needs, async () => {
    const { engine, close } = await open()
    try {
      const stream = engine.stream(sql`SELECT * FROM (${ENDLESS})`, CSV)
      await stream.next()
      expect(await engine.close()).toBe(true)
      expect((await outcome(stream)).error).toMatchObject({ name: 'EngineError' })
      expect((await outcome(engine.stream(ENDLESS, CSV))).error).toMatchObject({ code: 236 })
    } finally {
      await close()
    }
  })
})

describe('a scan', () => {
  it('yields results of a block each, and leaves nothing to the next query when a block fails', async () => {
    const { engine, close } = await embedded()
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const results: EngineResult[] = []
        const failed = (async () => {
          const limits = { ...CSV, blockRows: 100_000 }
          const query = sql`SELECT number AS n, throwIf(number = 300000) AS x FROM numbers(1000000)`
          for await (const result of engine.scan!(query, limits)) results.push(result)
        })()
        await expect(failed).rejects.toMatchObject({ name: 'EngineError', code: 395 })
        for (const { rows, bytes } of results) {
          expect(JSON.parse(bytes.get('n')!.toString())).toHaveLength(rows)
        }
        expect(await engine.read(sql`SELECT 42 AS n`, CSV)).toMatchObject({
          columns: new Map([['n', '[42]']]),
        })
      }
      const all: number[] = []
      const query = sql`SELECT number AS n FROM numbers(3000) ORDER BY n`
      for await (const { bytes } of engine.scan!(query, { ...CSV, blockRows: 1000 })) {
        all.push(...JSON.parse(bytes.get('n')!.toString()))
      }
      expect(all).toEqual([...Array(3000).keys()])
    } finally {
      await close()
    }
  })
})
