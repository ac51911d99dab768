import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openOwnEngine } from '../../src/engine/store.js'
import { type DataDirectory, openDataDirectory } from '../../src/local/open-directory.js'
import { identifier, sql } from '../../src/sql/sql.js'
import { ChunkedBuffer } from '../../src/wire/bytes/chunked-buffer.js'
import { until } from '../support/until.js'

// Each dataset has two parts with the same events in both, except for the field `part`. A file of the first part of each dataset
// is damaged in another way. No result may lack events without saying so.

const NOW = 1_767_268_800_000_000_000n
const EVENTS = 40

const isLong = process.env.EVQ_DAMAGES !== undefined

const DAMAGES: Readonly<Record<string, (bytes: Buffer) => Buffer | undefined>> = {
  missing: () => undefined,
  flipped: (bytes) => flipped(bytes, bytes.length >> 1),
  emptied: () => Buffer.alloc(0),
  ...(isLong && {
    halved: (bytes) => bytes.subarray(0, bytes.length >> 1),
    'one byte short': (bytes) => bytes.subarray(0, -1),
    'flipped at the start': (bytes) => flipped(bytes, 0),
    'flipped at the end': (bytes) => flipped(bytes, bytes.length - 1),
  }),
}

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at]! ^= 1
  return changed
}

/** The files of a part, without those that differ from one of these in the column only. */
const FILES = {
  compact: [
    ...['checksums.txt', 'columns.txt', 'columns_substreams.txt', 'count.txt', 'data.bin'],
    ...['data.cmrk4', 'default_compression_codec.txt', 'metadata_version.txt', 'primary.cidx'],
    ...['serialization.json', 'skp_idx_batch.cmrk4', 'skp_idx_batch.idx', 'skp_idx_tokens1.cmrk4'],
    ...['skp_idx_tokens1.idx', 'statistics.packed'],
  ],
  wide: [
    ...['checksums.txt', 'columns.txt', 'columns_substreams.txt', 'count.txt', '_time.bin'],
    ...['_time.cmrk2', 'text%3Astring.bin', 'text%3Astring.cmrk2', 'text%3Astring.null.bin'],
    ...['text%3Astring.null.cmrk2', 'text%3Astring.size.bin', 'text%3Astring.size.cmrk2'],
    ...['default_compression_codec.txt', 'metadata_version.txt', 'primary.cidx'],
    ...['serialization.json', 'skp_idx_batch.cmrk2', 'skp_idx_batch.idx', 'skp_idx_tokens1.cmrk2'],
    ...['skp_idx_tokens1.idx', 'statistics.packed'],
    ...['line.bin', 'line.size.bin', 'line.sparse.idx.bin'],
  ],
} as const

/** Files that can be made again from the others. */
const REPAIRABLE =
  /^(checksums\.txt|count\.txt|default_compression_codec\.txt|metadata_version\.txt|primary\.cidx|skp_idx_.*|statistics\.packed)$/

interface Case {
  readonly dataset: string
  readonly format: keyof typeof FILES
  readonly file: string
  readonly damage: string
}

const CASES: readonly Case[] = (['compact', 'wide'] as const)
  .flatMap((format) =>
    FILES[format].flatMap((file) =>
      Object.keys(DAMAGES).map((damage) => ({ format, file, damage })),
    ),
  )
  // Values are what an empty file may lack without an error.
  .filter(({ file, damage }) => damage !== 'emptied' || file.endsWith('.bin') || isLong)
  .map((one, i) => ({ ...one, dataset: `d${i}` }))

/** Datasets that lose more than a file. */
const LOST_PART = 'lost-part'
const LOST_TABLE = 'lost-table'
/** It loses more parts than the engine tolerates by default. */
const LOST_MANY = 'lost-many'
const MANY = 101
/** A merged part is damaged while the parts that were merged into it are still there. */
const MERGED = 'merged'
const INTACT = 'intact'
const OTHERS = [LOST_PART, LOST_TABLE, LOST_MANY, MERGED, INTACT]

let root: string
let owned: DataDirectory

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'evq-damage-'))
  const all = [...CASES.map(({ dataset }) => dataset), ...OTHERS]
  await open()
  for (const dataset of all) await store(dataset, 1)
  await owned.close()
  // Merges build the indexes of words; parts become wide at a size that would take the test too long.
  const engine = await openOwnEngine(root)
  const wide = CASES.filter(({ format }) => format === 'wide').map(({ dataset }) => dataset)
  for (const dataset of wide) {
    await engine.run(
      sql`ALTER TABLE datasets.${identifier(dataset)} MODIFY SETTING min_bytes_for_wide_part = 0`,
    )
  }
  for (const dataset of all) {
    await engine.run(sql`OPTIMIZE TABLE datasets.${identifier(dataset)} FINAL`)
  }
  await engine.close()
  await open()
  for (const dataset of all) await store(dataset, 2)
  await owned.close()
  for (const { dataset, file, damage } of CASES) await damageFile(dataset, file, damage)
  await rm(join(await tableFolder(LOST_PART), 'all_1_1_0'), { recursive: true, force: true })
  await rm(join(await tableFolder(LOST_PART), 'all_1_1_1'), { recursive: true })
  await rm(await tableFolder(LOST_TABLE), { recursive: true })
  const many = await tableFolder(LOST_MANY)
  for (let i = 1_000; i < 1_000 + MANY; i++) {
    await cp(join(many, 'all_1_1_1'), join(many, `all_${i}_${i}_0`), { recursive: true })
    await writeFile(join(many, `all_${i}_${i}_0`, 'count.txt'), '')
  }
  await writeFile(join(await tableFolder(MERGED), 'all_1_1_1', 'count.txt'), '')
  await open()
})

afterAll(async () => {
  await owned.close()
  await rm(root, { recursive: true })
})

async function open(): Promise<void> {
  const opened = await openDataDirectory({ directory: root, now: () => NOW })
  if (opened === undefined) throw new Error(`${root} is in use`)
  owned = opened
}

async function send(method: string, path: string, body = ''): Promise<[number, string]> {
  const [pathname = '', parameters] = path.split('?')
  const response = await owned.app({
    method,
    path: pathname,
    query: new URLSearchParams(parameters),
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    },
    body: (async function* () {
      if (body !== '') yield Buffer.from(body)
    })(),
    keepsBody: true,
    signal: new AbortController().signal,
    trusted: true,
    onLoopback: true,
  })
  return [response.status, ChunkedBuffer.of(response.body).toString()]
}

async function store(dataset: string, part: number): Promise<void> {
  const events = Array.from({ length: EVENTS }, (_, i) => ({
    _time: new Date(Date.UTC(2026, 0, 1, part, i)).toISOString(),
    part,
    text: `request${part} number${i} of ${((i + 1) * 2 ** 21 * Math.PI).toString(36)}`,
    // So few events have a remainder that its column is sparse.
    ...(i === 7 && { tags: [part, 'a'] }),
  }))
  const [status, body] = await send('POST', `/v1/ingest/${dataset}`, JSON.stringify(events))
  expect([status, body]).toEqual([200, expect.stringContaining(`"ingested":${EVENTS}`)])
}

/** Returns the folder of a dataset's table. */
async function tableFolder(dataset: string): Promise<string> {
  const metadata = join(root, 'engine/metadata/datasets', `${dataset.replace('-', '%2D')}.sql`)
  const [, id = ''] = /UUID '([0-9a-f-]+)'/.exec(await readFile(metadata, 'utf8')) ?? []
  return join(root, 'engine/store', id.slice(0, 3), id)
}

async function damageFile(dataset: string, file: string, damage: string): Promise<void> {
  const table = await tableFolder(dataset)
  // The engine would use it instead of the damaged part until it is removed.
  await rm(join(table, 'all_1_1_0'), { recursive: true, force: true })
  const path = join(table, 'all_1_1_1', file)
  const damaged = DAMAGES[damage]?.(await readFile(path))
  if (damaged === undefined) await rm(path)
  else await writeFile(path, damaged)
}

/** Queries that use different files: counts of parts, columns, the primary key, indexes of words. */
const QUERIES: Readonly<Record<string, readonly [before: number, after: number]>> = {
  '| count': [2 * EVENTS, EVENTS],
  '| where isnotempty(text) | count': [2 * EVENTS, EVENTS],
  '| where _time < datetime(2026-01-01T01:10:00Z) | count': [10, 0],
  '| where text has "request1" | count': [EVENTS, 0],
  '| where text has "number7" | summarize max(part)': [2, 2],
  '| where isnotnull(tags) | count': [2, 1],
}

interface Outcome {
  readonly status: number
  readonly value?: number
  readonly isPartial?: boolean
  readonly messages?: string
}

async function ask(dataset: string, steps: string): Promise<Outcome> {
  const apl = `['${dataset}'] ${steps}`
  const [status, body] = await send(
    'POST',
    '/v1/datasets/_apl?format=tabular',
    JSON.stringify({ apl, startTime: '2025-01-01T00:00:00Z', endTime: '2027-01-01T00:00:00Z' }),
  )
  if (status !== 200) return { status }
  const result = JSON.parse(body)
  const { isPartial, messages = [] } = result.status
  return {
    status,
    value: result.tables[0].columns[0][0] ?? 0,
    isPartial,
    messages: messages.map(({ msg }: { msg: string }) => msg).join('\n'),
  }
}

async function damagedDatasets(): Promise<readonly string[]> {
  const [, body] = await send('GET', '/v1/datasets/_damage')
  return (JSON.parse(body) as { readonly dataset: string }[]).map(({ dataset }) => dataset)
}

async function damagedMetric(): Promise<string | undefined> {
  const [, metrics] = await send('GET', '/metrics')
  return /^evq_damaged_datasets (\d+)$/m.exec(metrics)?.[1]
}

describe('a damaged file', () => {
  const files = Object.entries(FILES).flatMap(([format, all]) => all.map((file) => [format, file]))

  it.each(files)('of a %s part hides no events: %s', async (format, file) => {
    for (const { dataset, damage } of CASES.filter(
      (one) => one.format === format && one.file === file,
    )) {
      for (const [steps, [whole]] of Object.entries(QUERIES)) {
        const { status, value, isPartial, messages } = await ask(dataset, steps)
        if (status === 200 && value === whole) continue
        expect([damage, steps, status, isPartial ?? true]).toEqual([
          ...[damage, steps, isPartial === undefined ? 500 : 200, true],
        ])
        if (status === 200) {
          expect(messages).toContain(`Files of the dataset \`${dataset}\` are damaged`)
        }
        // Also after an error: every query of the dataset says so from now on.
        expect([damage, await damagedDatasets()]).toEqual([
          damage,
          expect.arrayContaining([dataset]),
        ])
      }
    }
  })

  it('makes no result partial when nothing is lost', async () => {
    for (const dataset of [INTACT, MERGED]) {
      for (const [steps, [whole]] of Object.entries(QUERIES)) {
        expect([steps, await ask(dataset, steps)]).toEqual([
          steps,
          { status: 200, value: whole, isPartial: false, messages: '' },
        ])
      }
    }
  })
})

describe('more than a file', () => {
  it.each([
    [LOST_PART, EVENTS, `${EVENTS} of its events are missing`],
    [LOST_TABLE, 0, `${2 * EVENTS} of its events are missing`],
    [LOST_MANY, 2 * EVENTS, 'some of its events may be missing'],
  ])('is noticed: %s', async (dataset, left, message) => {
    expect(await ask(dataset, '| count')).toEqual({
      status: 200,
      value: left,
      isPartial: true,
      messages: expect.stringContaining(message),
    })
  })
})

it('the ledger lists a part a minute after it was stored at the latest', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  try {
    await store('fresh', 1)
    // A small batch is stored in its table a few seconds later.
    await vi.advanceTimersByTimeAsync(6_000)
    await vi.advanceTimersByTimeAsync(61_000)
  } finally {
    vi.useRealTimers()
  }
  const ledger = join(root, 'engine/parts.json')
  await until(async () => (await readFile(ledger, 'utf8')).includes('"name":"fresh"'), 'the part')
})

describe('damage', () => {
  it('is shown by the service until its loss is accepted, also after a restart', async () => {
    const damaged = await damagedDatasets()
    expect(damaged).toEqual(expect.arrayContaining([LOST_PART, LOST_TABLE]))
    const [status, ready] = await send('GET', '/readyz')
    expect(status).toBe(503)
    for (const dataset of damaged) expect(ready).toContain(`\`${dataset}\``)
    // A union of an intact dataset and a damaged one is partial, too.
    expect(await ask(INTACT, `| union ['${LOST_PART}'] | count`)).toMatchObject({ isPartial: true })
    await owned.close()
    await open()
    expect(await damagedDatasets()).toEqual(expect.arrayContaining([...damaged]))
    expect(await damagedMetric()).toBe(String((await damagedDatasets()).length))
    // Suspected parts are checked by then.
    await until(
      async () => {
        const [, body] = await send('GET', '/v1/datasets/_damage')
        return (JSON.parse(body) as { parts: unknown[] }[]).every(({ parts }) => parts.length > 0)
      },
      () => 'the checks of damaged datasets',
    )
    const repaired = new Set<string>()
    for (const dataset of await damagedDatasets()) {
      const [accepted, body] = await send(
        'POST',
        '/v1/datasets/_damage/accept',
        JSON.stringify({ dataset }),
      )
      expect([accepted, body]).toEqual([200, expect.stringContaining('":[{"name":')])
      const { parts, repaired: kept } = JSON.parse(body)
      expect([dataset, parts.length === 0]).toEqual([dataset, kept.length > 0])
      if (kept.length > 0) repaired.add(dataset)
    }
    const repairable = CASES.filter(
      ({ dataset, file }) => damaged.includes(dataset) && REPAIRABLE.test(file),
    ).map(({ dataset }) => dataset)
    expect([...repaired].sort()).toEqual(repairable.sort())
    for (const isReopened of [false, true]) {
      if (isReopened) await owned.close()
      if (isReopened) await open()
      expect(await damagedDatasets()).toEqual([])
      expect((await send('GET', '/readyz'))[0]).toBe(200)
      expect(await damagedMetric()).toBe('0')
      const others = damaged.filter((dataset) => ![LOST_TABLE, LOST_MANY].includes(dataset))
      const union = `| union ${others.slice(1).map((dataset) => `['${dataset}']`)}`
      for (const [steps, [whole, left]] of Object.entries(QUERIES)) {
        const each = others.map((dataset) => (repaired.has(dataset) ? whole : left))
        const value = steps.includes('max') ? left : each.reduce((sum, rows) => sum + rows, 0)
        expect([steps, await ask(others[0]!, `${union} ${steps}`)]).toEqual([
          steps,
          { status: 200, value, isPartial: false, messages: '' },
        ])
      }
      expect(await ask(LOST_TABLE, '| count')).toMatchObject({ value: 0, isPartial: false })
      expect(await ask(LOST_MANY, '| count')).toMatchObject({
        value: 2 * EVENTS,
        isPartial: false,
      })
    }
    expect(existsSync(join(root, 'damaged'))).toBe(true)
    expect(
      await readdir(
        join(
          root,
          'damaged',
          `datasets.${damaged.find((dataset) => CASES.some((one) => one.dataset === dataset && one.file === 'data.bin'))}`,
        ),
      ),
    ).toHaveLength(1)
  })
})
