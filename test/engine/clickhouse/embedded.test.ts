import { readdirSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openEmbedded } from '../../../src/engine/clickhouse/embedded.js'
import { SESSIONS } from '../../../src/engine/clickhouse/running-statements.js'
import type { Engine } from '../../../src/engine/engine.js'
import { numberIn } from '../../../src/engine/response.js'
import { identifier, raw, type Sql, sql } from '../../../src/sql/sql.js'
import { needs } from '../../support/needs.js'
import { removeDirectory } from '../../support/remove-directory.js'
import { limits } from '../temporary-store.js'

/** Runs for a minute, and writes a row every 10 ms. */
const ENDLESS = sql`SELECT sleepEachRow(0.01) AS n FROM numbers(6000) SETTINGS max_block_size = 1`

/** Opens an engine without data, which is closed and removed when the test ends. */
async function temporaryEngine(): Promise<Engine> {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  onTestFinished(() => removeDirectory(directory))
  const engine = await openEmbedded({ directory })
  onTestFinished(async () => {
    await engine.close()
  })
  return engine
}

/** Occupies all connections of an engine until the returned function is called. */
async function occupied(engine: Engine): Promise<() => Promise<void>> {
  const scans = Array.from({ length: SESSIONS }, () =>
    engine.scan!(sql`SELECT number FROM numbers(1000000000)`, { ...limits, timeoutMs: 600_000 }),
  )
  await Promise.all(scans.map((scan) => scan.next()))
  return async () => {
    await Promise.all(scans.map((scan) => scan.return()))
  }
}

it('returns no output of an earlier failed query', async () => {
  const engine = await temporaryEngine()
  // Fails in the second row, after the first is written.
  const failing = sql`SELECT accurateCast(toInt128(arrayJoin([7, 9223372036854775807])) + 1, 'Int64') AS secret SETTINGS max_block_size = 1`
  for (let round = 0; round < 20; round++) {
    await expect(engine.read(sql`SELECT * FROM (${failing})`, limits)).rejects.toMatchObject({
      code: 70,
    })
    expect(await engine.read(sql`SELECT 1 AS one`, limits)).toMatchObject({
      columns: new Map([['one', '[1]']]),
      rows: 1,
      rowsExamined: 1,
      rowsBeforeLimit: 1,
    })
  }
})

it('leaves no handlers when it can not be opened', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  const file = join(directory, 'file')
  await writeFile(file, '')
  const before = process.listenerCount('exit')
  await expect(openEmbedded({ directory: file })).rejects.toThrow()
  expect(process.listenerCount('exit')).toBe(before)
  await removeDirectory(directory)
})

it(
  'ends most threads that have no work',
  needs(process.platform === 'linux', 'Linux, to count threads'),
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
    const engine = await openEmbedded({ directory })
    const threads = () => readdirSync('/proc/self/task').length
    try {
      const before = threads()
      const groups = sql`SELECT number % 1000 AS key, count() AS n FROM numbers_mt(30000000) GROUP BY key`
      const counting = sql`SELECT count() AS n FROM (${groups})`
      const wide = { ...limits, threads: 100 }
      await Promise.all(Array.from({ length: SESSIONS }, () => engine.read(counting, wide)))
      await vi.waitFor(() => expect(threads()).toBeLessThan(before + 40), 10_000)
    } finally {
      await engine.close()
      await removeDirectory(directory)
    }
  },
)

it('does not look for sort keys that follow from others', async () => {
  const engine = await temporaryEngine()
  const sorted = sql`SELECT number FROM numbers(2) ORDER BY number, toString(number)`
  const { columns } = await engine.read(sql`EXPLAIN QUERY TREE ${sorted}`, limits)
  expect(columns.get('explain')?.match(/SORT id/g)).toHaveLength(2)
})

it('compiles regular expressions only to replace or extract text', async () => {
  const engine = await temporaryEngine()
  const compiled = async (value: string) => {
    const { columns } = await engine.read(
      sql`SELECT ${raw(value)} AS value, getSetting('compile_regular_expressions') AS compiled`,
      limits,
    )
    return columns.get('compiled')
  }
  expect(await compiled(`match('a1', '[0-9]')`)).toBe('[false]')
  expect(await compiled(`extractGroups('a1', '([0-9])')`)).toBe('[false]')
  expect(await compiled(`extract('a1', '[0-9]')`)).toBe('[true]')
  expect(await compiled(`replaceRegexpAll('a1', '[0-9]', '')`)).toBe('[true]')
})

it('bounds the caches that grow with the data', async () => {
  const engine = await temporaryEngine()
  const { columns } = await engine.ask(
    sql`SELECT value FROM system.server_settings WHERE name IN ('mark_cache_size', 'index_mark_cache_size', 'primary_index_cache_size')`,
  )
  expect(columns.get('value')).toBe('["268435456", "268435456", "268435456"]')
})

it('does not run a query whose timeout expired in the queue', async () => {
  const engine = await temporaryEngine()
  const failing = sql`SELECT throwIf(true) AS failed`
  const failures = async () => {
    const counted = sql`SELECT count() AS n FROM system.errors WHERE code = 395`
    return numberIn(await engine.ask(counted), 'n')
  }
  const release = await occupied(engine)
  const late = engine.read(failing, { ...limits, timeoutMs: 1 })
  await expect(late).rejects.toMatchObject({ code: 159 })
  await release()
  expect(await failures()).toBe(0)
  await expect(engine.read(failing, limits)).rejects.toMatchObject({ code: 395 })
  expect(await failures()).toBe(1)
})

it('rejects results larger than half of the memory limit', async () => {
  const engine = await temporaryEngine()
  const narrow = { ...limits, memoryBytes: 64 * 1024 * 1024, blockRows: 10 }
  const long = (rows: number) =>
    sql`SELECT repeat(toString(number % 10), 100000) AS a FROM numbers(${raw(String(rows))})`
  expect((await engine.read(long(300), narrow)).rows).toBe(300)
  await expect(engine.read(long(400), narrow)).rejects.toMatchObject({ code: 396 })
})

it('plans the union of thousands of tables', async () => {
  const engine = await temporaryEngine()
  const newest = '(SELECT number AS n FROM numbers(3) ORDER BY n DESC LIMIT 1)'
  const part = `(SELECT n FROM ${newest} ORDER BY n DESC LIMIT 1)`
  const parts = raw(Array.from({ length: 2_000 }, () => part).join(' UNION ALL '))
  const first = sql`SELECT n FROM (${parts}) ORDER BY n DESC LIMIT 2`
  const { columns } = await engine.read(first, limits)
  expect(columns.get('n')).toBe('[2, 2]')
})

it('joins more than fits into the memory limit', async () => {
  const engine = await temporaryEngine()
  // A hash table of these keys takes more than 256 MiB.
  const side = sql`SELECT concat('a longer key of the join, number ', toString(number)) AS k, number AS n FROM numbers(1000000)`
  const joined = sql`SELECT count() AS n FROM (${side}) AS a INNER JOIN (${side}) AS b ON a.k = b.k WHERE b.n >= 0`
  const found = await engine.read(joined, { ...limits, memoryBytes: 200 * 1024 * 1024 })
  expect(numberIn(found, 'n')).toBe(1_000_000)
})

it('kills an internal statement at its timeout and runs the next', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  const patient = await openEmbedded({ directory })
  await patient.run(sql`CREATE TABLE datasets.t (n UInt64) ENGINE = MergeTree ORDER BY n`)
  await patient.close()
  const statementLimits = { readMs: 500, changeMs: 500 }
  const engine = await openEmbedded({ directory, statementLimits })
  try {
    const endless = sql`SELECT sleepEachRow(1) AS n FROM numbers(600) SETTINGS max_block_size = 1`
    const outcomes = await Promise.allSettled([
      engine.ask(endless),
      engine.run(sql`INSERT INTO datasets.t ${endless}`),
    ])
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        reason: { code: 209, message: 'no response within 0.5 s' },
      })
    }
    const count = sql`SELECT count() AS n FROM datasets.t`
    const counts = await Promise.all(Array.from({ length: 16 }, () => engine.read(count, limits)))
    expect(counts.map((response) => response.columns.get('n'))).toEqual(Array(16).fill('[0]'))
  } finally {
    await engine.close()
    await removeDirectory(directory)
  }
})

it('kills only the statement whose timeout has expired', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  const statementLimits = { readMs: 100, changeMs: 60_000 }
  const engine = await openEmbedded({ directory, statementLimits })
  try {
    // Both open a connection at the same time.
    const outcomes = await Promise.allSettled([
      engine.ask(ENDLESS),
      engine.run(sql`SELECT sleepEachRow(1) FROM numbers(2)`),
    ])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 209 } },
      { status: 'fulfilled' },
    ])
  } finally {
    await engine.close()
    await removeDirectory(directory)
  }
})

it('returns no output of an earlier killed statement', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  const statementLimits = { readMs: 60, changeMs: 60_000 }
  const engine = await openEmbedded({ directory, statementLimits })
  try {
    for (let round = 0; round < 30; round++) {
      await Promise.allSettled(Array.from({ length: 3 }, () => engine.ask(ENDLESS)))
      const responses = await Promise.all(
        Array.from({ length: 3 }, () => engine.read(sql`SELECT 42 AS n`, limits)),
      )
      expect(responses.map(({ columns }) => columns.get('n'))).toEqual(['[42]', '[42]', '[42]'])
    }
  } finally {
    await engine.close()
    await removeDirectory(directory)
  }
})

it('does not run an internal statement whose timeout expired in the queue', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  const engine = await openEmbedded({
    directory,
    statementLimits: { readMs: 60_000, changeMs: 50 },
  })
  try {
    const release = await occupied(engine)
    await expect(engine.run(sql`CREATE DATABASE late`)).rejects.toMatchObject({ code: 209 })
    await release()
    const found = await engine.ask(
      sql`SELECT count() AS n FROM system.databases WHERE name = 'late'`,
    )
    expect(found.columns.get('n')).toBe('[0]')
  } finally {
    await engine.close()
    await removeDirectory(directory)
  }
})

// Last, since the directory stays open until the query ends.
it('rejects a query at its timeout while the engine is still planning it', async () => {
  const engine = await temporaryEngine()
  // Each step names all columns of the one before: the engine plans for many seconds, and keeps no limit meanwhile.
  const column = (step: number) => identifier(`c${step}`)
  const steps = Array.from({ length: 220 }, (_, step) => step)
  const chained = steps.reduce<Sql>(
    (from, step) => sql`SELECT *, ${column(step)} + 1 AS ${column(step + 1)} FROM (${from})`,
    sql`SELECT number AS ${column(0)} FROM numbers(1)`,
  )
  const asked = engine.read(chained, { ...limits, timeoutMs: 100 })
  await expect(asked).rejects.toMatchObject({ code: 159, message: 'no response within 2.1 s' })
  expect(await engine.read(sql`SELECT 1 AS one`, limits)).toMatchObject({ rows: 1 })
})
