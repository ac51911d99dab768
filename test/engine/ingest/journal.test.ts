import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Batch, BatchOutcome } from '../../../src/engine/batch.js'
import { type Engine, EngineError } from '../../../src/engine/engine.js'
import { Journal } from '../../../src/engine/ingest/journal.js'
import { appendRows, newSegment, readSegment } from '../../../src/engine/ingest/journal-segment.js'
import { numberIn } from '../../../src/engine/response.js'
import { openOwnEngine, openStore, type Store } from '../../../src/engine/store.js'
import { raw } from '../../../src/sql/sql.js'
import { needsEmbedded, wrapped } from '../../support/engine.js'
import { removeDirectory } from '../../support/remove-directory.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { ARRIVED, closeIdleEngine, limits } from '../temporary-store.js'

/** Rows of a dataset that does not exist, for which no engine is needed. */
const UNKNOWN_ROWS = {
  dataset: 'logs',
  labels: undefined,
  first: 1n,
  last: 1n,
  rows: 1,
  named: [],
}

const KILLS = Number(process.env.EVQ_KILLS ?? 3)
const WRITER = join(import.meta.dirname, 'small-batch-writer.js')

beforeAll(closeIdleEngine)

async function opened(
  directory: string,
  wrap: (engine: Engine) => Engine = (engine) => engine,
): Promise<Store> {
  const ownEngine = wrap(await openOwnEngine(directory))
  const store = await openStore({ directory, now: () => ARRIVED, ownEngine })
  onTestFinished(async () => void (await store.close()))
  return store
}

function ingest(store: Store, text: string, options: Partial<Batch> = {}): Promise<BatchOutcome> {
  const lines = { kind: 'bytes', bytes: Buffer.from(text) } as const
  return store.ingest({
    dataset: 'logs',
    lines,
    arrivedAt: ARRIVED,
    timestampField: '_time',
    ...options,
  })
}

/** Returns a copy of a data directory, as a killed process would leave it. */
async function copied(directory: string): Promise<string> {
  const copy = join(temporaryDirectory(), 'copy')
  await cp(directory, copy, { recursive: true, filter: (path) => !path.endsWith('/lock') })
  return copy
}

/** Returns the number of events of a dataset, from a query that names it. */
async function eventsIn(store: Store, dataset: string): Promise<number> {
  const query = raw(`SELECT toFloat64(count()) AS n FROM \`${dataset}\``)
  return numberIn(await store.read(query, { ...limits, datasets: [dataset] }), 'n')
}

/** Returns the numbers of events by the value of a field. */
async function counts(store: Store, field: string): Promise<ReadonlyMap<string, number>> {
  if (!store.has('logs')) return new Map()
  const { columns } = await store.read(
    raw(`SELECT ${field} AS name, toFloat64(count()) AS n FROM logs GROUP BY name`),
    limits,
  )
  const [names, numbers] = ['name', 'n'].map((name) => JSON.parse(columns.get(name) ?? '[]'))
  return new Map(names.map((name: string, i: number) => [name, numbers[i]]))
}

describe('small batches', needsEmbedded, () => {
  it('are visible to each read, and counted by each deletion', async () => {
    const store = await opened(temporaryDirectory())
    const event = '{"_time":"2026-01-01T00:00:00Z","name":"a"}\n'
    await ingest(store, event)
    await ingest(store, event)
    expect(await counts(store, '`name:string`')).toEqual(new Map([['a', 2]]))
    await ingest(store, event)
    expect(await store.statistics('logs')).toMatchObject([{ events: 3 }])
    await ingest(store, event, { batchId: 'one' })
    expect(await store.removeBatches('logs', ['one'])).toBe(1)
    await ingest(store, event)
    expect(await store.trim('logs', ARRIVED + 1n)).toBe(4)
    await ingest(store, event)
    expect(await store.rename('logs', 'others')).toBe('renamed')
    expect(await store.statistics('others')).toMatchObject([{ events: 1 }])
    await ingest(store, event, { dataset: 'others' })
    await store.clear('others')
    expect(await store.statistics('others')).toMatchObject([{ events: 0 }])
    await ingest(store, event, { dataset: 'others' })
    await store.remove('others')
    await store.create('others')
    expect(await store.statistics('others')).toMatchObject([{ events: 0 }])
  })

  it('of several datasets are stored once each, also when the insert of one fails at first', async () => {
    let fails = true
    const store = await opened(temporaryDirectory(), (engine) =>
      wrapped(engine, {
        async load(insert) {
          if (fails && insert.stores.dataset === 'two') throw new EngineError(0, 'no')
          await engine.load(insert)
        },
      }),
    )
    const names = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const dataset of names) {
      for (const name of ['a', 'b', 'c']) await ingest(store, `{"name":"${name}"}\n`, { dataset })
    }
    await expect(store.statistics()).rejects.toThrow('no')
    fails = false
    const stored = await store.statistics()
    expect(stored.map(({ dataset, events }) => [dataset, events])).toEqual(
      names.toSorted().map((name) => [name, 3]),
    )
  })

  it('stay in the journal while other datasets are created, opened and read', async () => {
    const loaded: string[] = []
    const counting = (engine: Engine) =>
      wrapped(engine, {
        async load(insert) {
          loaded.push(insert.stores.dataset)
          await engine.load(insert)
        },
      })
    const directory = temporaryDirectory()
    const first = await opened(directory, counting)
    await ingest(first, '{"name":"a"}\n')
    await ingest(first, '{"name":"b"}\n', { dataset: 'other' })
    await ingest(first, '{"name":"c"}\n', { dataset: 'other' })
    expect(loaded).toEqual([])
    expect(await eventsIn(first, 'logs')).toBe(1)
    expect(loaded).toEqual(['logs'])
    await first.close()
    const store = await opened(directory, counting)
    loaded.length = 0
    await ingest(store, '{"name":"a"}\n')
    await ingest(store, '{"name":"b"}\n', { dataset: 'other' })
    expect(loaded).toEqual([])
    expect(await eventsIn(store, 'logs')).toBe(2)
    expect(loaded).toEqual(['logs'])
    expect(await eventsIn(store, 'other')).toBe(3)
    expect(loaded).toEqual(['logs', 'other'])
  })

  it('are stored once each when a process is killed after those of one dataset were stored', async () => {
    const directory = temporaryDirectory()
    const store = await opened(directory)
    for (let round = 1; round <= 3; round++) {
      for (const dataset of ['logs', 'other']) await ingest(store, '{"name":"a"}\n', { dataset })
      expect(await eventsIn(store, 'logs')).toBe(round)
    }
    await ingest(store, '{"name":"a"}\n')
    const copy = await copied(directory)
    await store.close()
    const again = await opened(copy)
    expect(await eventsIn(again, 'logs')).toBe(4)
    expect(await eventsIn(again, 'other')).toBe(3)
  })

  it('do not come back when they were deleted before a process is killed', async () => {
    const directory = temporaryDirectory()
    const store = await opened(directory)
    for (const dataset of ['logs', 'other']) await ingest(store, '{"name":"a"}\n', { dataset })
    expect(await eventsIn(store, 'logs')).toBe(1)
    await store.clear('logs')
    const copy = await copied(directory)
    await store.close()
    const again = await opened(copy)
    expect(await eventsIn(again, 'logs')).toBe(0)
    expect(await eventsIn(again, 'other')).toBe(1)
  })

  it('are stored together: each keeps its time of arrival, its order, its labels and its id', async () => {
    const store = await opened(temporaryDirectory())
    await ingest(store, '{"n":0,"s":"x","host":"first"}\n')
    await store.statistics()
    await ingest(store, '{"n":1}\n{"s":"y"}\nrejected\n{"n":3}\n', {
      arrivedAt: ARRIVED + 1n,
    })
    await ingest(store, '{"n":4}\n', { arrivedAt: ARRIVED + 2n, batchId: 'id' })
    await ingest(store, '{"n":5}\n', { arrivedAt: ARRIVED + 3n, labels: '"host":"h"' })
    const { columns } = await store.read(
      raw(`
        SELECT toFloat64(toUnixTimestamp64Nano(_sysTime) - ${ARRIVED}) AS after,
          toString(\`n:int\`) AS n, \`s:string\` AS s, \`host:string\` AS host, _batch = toFixedString('', 16) AS unnamed
        FROM logs ORDER BY _seq`),
      limits,
    )
    expect(
      Object.fromEntries([...columns].map(([name, json]) => [name, JSON.parse(json)])),
    ).toEqual({
      after: [0, 1, 1, 1, 2, 3],
      n: ['0', '1', null, '3', '4', '5'],
      s: ['x', null, 'y', null, null, null],
      host: ['first', null, null, null, null, 'h'],
      unnamed: [1, 1, 1, 1, 0, 1],
    })
  })

  it('have sequence numbers beyond 63 bits when the clock is in 2050', async () => {
    // 2050-01-01T00:00:00Z, whose milliseconds are followed by 22 bits for the rows of one.
    const milliseconds = 2_524_608_000_000n
    const now = () => milliseconds * 1_000_000n
    const store = await openStore({ directory: temporaryDirectory(), now })
    onTestFinished(async () => void (await store.close()))
    await ingest(store, '{"n":1}\n{"n":2}\n', { arrivedAt: now() })
    const { columns } = await store.read(
      raw('SELECT toString(_seq) AS seq FROM logs ORDER BY _seq'),
      limits,
    )
    const first = milliseconds << 22n
    expect(JSON.parse(columns.get('seq')!)).toEqual([`${first}`, `${first + 1n}`])
  })

  it('may fill several blocks of the scan', async () => {
    const store = await opened(temporaryDirectory())
    const wide = Object.fromEntries(Array.from({ length: 140 }, (_, i) => [`field${i}`, i]))
    await ingest(store, `${JSON.stringify(wide)}\n`)
    const events = Array.from({ length: 4_000 }, (_, i) => `{"field${i % 100}":${i}}\n`)
    expect(await ingest(store, events.join(''), { batchId: 'all' })).toMatchObject({
      ingested: 4_000,
    })
    const { columns } = await store.read(
      raw('SELECT toFloat64(count()) AS n, toFloat64(sum(`field99:int`)) AS s FROM logs'),
      limits,
    )
    // 99 in the first event, then 99, 199, …, 3999.
    const sum = 99 + Array.from({ length: 40 }, (_, i) => 99 + 100 * i).reduce((a, b) => a + b)
    expect([columns.get('n'), columns.get('s')]).toEqual(['[4001]', `[${sum}]`])
  })

  it('with an id are answered with the first outcome, before and after a restart', async () => {
    const directory = temporaryDirectory()
    const text = '{"a":1}\nrejected\n'
    const store = await opened(directory)
    await ingest(store, '{"a":0}\n')
    const first = await ingest(store, text, { batchId: 'one' })
    expect(first).toMatchObject({ ingested: 1, failed: 1 })
    expect(await ingest(store, text, { batchId: 'one' })).toEqual(first)
    await store.close()
    const again = await opened(directory)
    expect(await ingest(again, text, { batchId: 'one' })).toEqual(first)
    expect(await again.statistics('logs')).toMatchObject([{ events: 2 }])
  })
})

it('has no batch of a write that failed half-way', async () => {
  const segment = newSegment(temporaryDirectory())
  const first = { ...UNKNOWN_ROWS, block: Buffer.from('first') }
  const second = { ...UNKNOWN_ROWS, block: Buffer.from('second') }
  await appendRows(segment, [first])
  vi.spyOn(segment.file!, 'write').mockImplementationOnce(async (...[bytes]: unknown[]) => {
    writeSync(segment.file!.fd, bytes as Buffer, 0, segment.bytes + 20)
    throw new Error('no space left on device')
  })
  await expect(appendRows(segment, [first, second])).rejects.toThrow('no space left')
  await segment.file!.close()
  expect((await readSegment(segment.path)).entries).toEqual([first])
})

it('acknowledges only rows that it wrote when other rows could not be written', async () => {
  const folder = temporaryDirectory()
  const options = { spool: folder, engine: {} as Engine, datasets: new Map(), stored() {} }
  const journal = await Journal.open({ folder, ...options })
  const append = (first: number, block = Buffer.from('a')) =>
    journal.append({ ...UNKNOWN_ROWS, first: BigInt(first), block })
  await append(0)
  // While the file is closed, the rows that can't be written wait, and others arrive.
  const flushed = journal.flush()
  const batches = [append(1, null as never)]
  for (let first = 2; first < 8; first++) {
    batches.push(append(first))
    await undefined
  }
  const outcomes = await Promise.allSettled(batches)
  await flushed
  await journal.flush()
  // Rows of unknown datasets are kept.
  const files = await Promise.all(
    (await readdir(folder)).map((name) => readSegment(join(folder, name))),
  )
  const written = files.flatMap(({ entries }) => entries.map(({ first }) => Number(first))).sort()
  const acknowledged = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [i + 1] : []))
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(written).toEqual([0, ...acknowledged])
})

/** A file of the journal with two entries, the second with a block of 2,000 bytes. */
async function twoEntries() {
  const segment = newSegment(temporaryDirectory())
  const first = { ...UNKNOWN_ROWS, block: Buffer.from('first') }
  await appendRows(segment, [first])
  await appendRows(segment, [{ ...UNKNOWN_ROWS, block: Buffer.alloc(2_000, 'second') }])
  await segment.file!.close()
  return { path: segment.path, first, bytes: await readFile(segment.path) }
}

it('is damaged when any bit of an entry has changed, also in the sizes', async () => {
  const { path, bytes } = await twoEntries()
  const unnoticed: number[] = []
  // Each bit of the first head, and some of the rest.
  for (let bit = 0; bit < 8 * bytes.length; bit += bit < 8 * 16 ? 1 : 101) {
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    await writeFile(path, bytes)
    if (!(await readSegment(path)).isDamaged) unnoticed.push(bit)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
  }
  expect(unnoticed).toEqual([])
})

it('is not damaged when sectors of its last entry were not written', async () => {
  const { path, first, bytes } = await twoEntries()
  for (const sectors of [1, 2, 3]) {
    const written = bytes.subarray(0, sectors * 512)
    const later = bytes.subarray(written.length, written.length + 7)
    for (const rest of [Buffer.alloc(8_192), later]) {
      await writeFile(path, Buffer.concat([written, rest]))
      const { entries, isDamaged } = await readSegment(path)
      expect([entries, isDamaged]).toEqual([[first], false])
    }
  }
})

it('stores small batches after five seconds, also when an earlier delay ended without any', async () => {
  const folder = temporaryDirectory()
  const stored = vi.fn()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  // Rows of unknown datasets need no engine: their file is kept.
  const engine = {} as Engine
  const journal = await Journal.open({ folder, spool: folder, engine, datasets: new Map(), stored })
  const append = () => journal.append({ ...UNKNOWN_ROWS, block: Buffer.from('a') })
  await append()
  // The second batch is written while the journal waits for it, and stored at once.
  await Promise.all([append(), journal.flush()])
  expect(stored).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(5_000)
  await append()
  await vi.advanceTimersByTimeAsync(5_000)
  await vi.waitFor(() => expect(stored).toHaveBeenCalledTimes(2))
})

it(
  'finds that the folder of the journal was deleted, and the events once it is back',
  needsEmbedded,
  async () => {
    const directory = temporaryDirectory()
    const store = await opened(directory)
    await ingest(store, '{"n":1}\n')
    await store.statistics()
    await ingest(store, '{"n":2}\n')
    const folder = join(directory, 'journal')
    await rename(folder, `${folder}-away`)
    expect(store.isGone()).toBe(true)
    await rename(`${folder}-away`, folder)
    expect(store.isGone()).toBe(false)
    expect(await store.statistics('logs')).toMatchObject([{ events: 2 }])
  },
)

describe('the journal of a killed process', needsEmbedded, () => {
  /** Stores events of which the last two are only in the journal, and returns a copy of the directory at that moment. */
  async function killed(): Promise<string> {
    const directory = temporaryDirectory()
    const store = await opened(directory)
    await ingest(store, '{"name":"table"}\n')
    await store.statistics()
    await ingest(store, '{"name":"first"}\n{"name":"second"}\n')
    await ingest(store, '{"name":"last"}\n', { batchId: 'last' })
    const copy = await copied(directory)
    await store.close()
    return copy
  }

  const all = ['table', 'first', 'second', 'last'].map((name) => [name, 1] as const)

  it('is stored at the next start, once', async () => {
    const directory = await killed()
    const store = await opened(directory)
    expect(await ingest(store, '{"name":"last"}\n', { batchId: 'last' })).toMatchObject({
      ingested: 1,
    })
    expect(await counts(store, '`name:string`')).toEqual(new Map(all))
    expect(await readdir(join(directory, 'journal'))).toEqual([])
  })

  it('is not stored again when its events reached their table before', async () => {
    const directory = await killed()
    const kept = join(temporaryDirectory(), 'kept')
    await cp(join(directory, 'journal'), kept, { recursive: true })
    const store = await opened(directory)
    await store.statistics()
    await store.close()
    await removeDirectory(join(directory, 'journal'))
    await cp(kept, join(directory, 'journal'), { recursive: true })
    expect(await counts(await opened(directory), '`name:string`')).toEqual(new Map(all))
  })

  it('is kept when the definition of its dataset is gone', async () => {
    const directory = await killed()
    const engine = join(directory, 'engine/store')
    const files = await readdir(engine, { recursive: true })
    await rm(join(engine, files.find((file) => file.endsWith('/logs.sql'))!))
    const warnings: string[] = []
    const warn = (message: string) => warnings.push(message)
    const store = await openStore({ directory, now: () => ARRIVED, warn })
    onTestFinished(async () => void (await store.close()))
    await store.statistics()
    const [name, ...others] = await readdir(join(directory, 'journal'))
    expect([name, others]).toEqual([expect.stringMatching(/\.kept$/), []])
    expect(warnings).toEqual([
      `3 events of \`logs\` could not be stored, since the dataset is damaged. They are kept in \`${join(directory, 'journal', name!)}\`.`,
    ])
  })

  it('is kept for a dataset with unreadable files, and stored for the others', async () => {
    const directory = temporaryDirectory()
    const journal = join(directory, 'journal')
    const kept = join(temporaryDirectory(), 'kept')
    const store = await opened(directory)
    for (const dataset of ['logs', 'others', 'logs', 'others']) {
      await ingest(store, '{"name":"a"}\n', { dataset })
    }
    await store.statistics()
    // Two events of `logs`: the only row of a part is counted without reading its files.
    for (const dataset of ['logs', 'others', 'logs']) {
      await ingest(store, '{"name":"b"}\n', { dataset })
    }
    await cp(journal, kept, { recursive: true })
    await store.close()
    // The process was killed after it had stored the rows, and before it removed the file of the journal.
    await cp(kept, journal, { recursive: true })
    await invertFiles(directory, 'logs')
    const warnings: string[] = []
    const warn = (message: string) => warnings.push(message)
    const again = await openStore({ directory, now: () => ARRIVED, warn })
    onTestFinished(async () => void (await again.close()))
    const others = await again.read(raw('SELECT toFloat64(count()) AS n FROM others'), limits)
    expect(others.columns.get('n')).toBe('[3]')
    const [name = ''] = await readdir(journal)
    expect(warnings).toEqual([
      `2 events of \`logs\` could not be stored, since the dataset is damaged. They are kept in \`${join(journal, name)}\`.`,
    ])
  })

  it('is stored when other folders are beside its files', async () => {
    const directory = await killed()
    await mkdir(join(directory, 'journal/lost+found'))
    const store = await opened(directory)
    expect(await counts(store, '`name:string`')).toEqual(new Map(all))
    expect(await readdir(join(directory, 'journal'))).toEqual(['lost+found'])
  })

  it('may end in zeros after a power failure', async () => {
    const directory = await killed()
    const [name = ''] = await readdir(join(directory, 'journal'))
    await appendFile(join(directory, 'journal', name), Buffer.alloc(100))
    const store = await opened(directory)
    expect(await counts(store, '`name:string`')).toEqual(new Map(all))
    expect(await readdir(join(directory, 'journal'))).toEqual([])
  })

  it('is kept with a warning when an entry is damaged', async () => {
    const directory = await killed()
    const [name = ''] = await readdir(join(directory, 'journal'))
    const path = join(directory, 'journal', name)
    const bytes = await readFile(path)
    // Within the rows of the last entry.
    bytes[bytes.length - 1]! ^= 1
    await writeFile(path, bytes)
    const warnings: string[] = []
    const warn = (message: string) => warnings.push(message)
    const store = await openStore({ directory, now: () => ARRIVED, warn })
    onTestFinished(async () => void (await store.close()))
    expect(await counts(store, '`name:string`')).toEqual(new Map(all.slice(0, 3)))
    expect(warnings).toEqual([
      `Some of the last events before a crash may be lost, since a file of the journal is damaged. It is kept as \`${path}.kept\`.`,
    ])
    expect(await readFile(`${path}.kept`)).toEqual(bytes)
  })

  it('may end in the middle of an entry, which was not acknowledged', async () => {
    const directory = await killed()
    const [name = ''] = await readdir(join(directory, 'journal'))
    await truncate(join(directory, 'journal', name), 300)
    const store = await opened(directory)
    expect([...(await counts(store, '`name:string`')).keys()]).toContain('table')
    await ingest(store, '{"name":"later"}\n')
    expect((await counts(store, '`name:string`')).get('later')).toBe(1)
  })
})

/** Inverts all bits of the columns of a dataset. */
async function invertFiles(directory: string, dataset: string): Promise<void> {
  const tables = join(directory, 'engine/store')
  const paths = (await readdir(tables, { recursive: true })).map((path) => join(tables, path))
  const definition = await readFile(paths.find((path) => path.endsWith(`/${dataset}.sql`))!, 'utf8')
  const [id = ''] = /[\da-f]{8}-[\da-f-]{27}/.exec(definition) ?? []
  for (const path of paths.filter((one) => one.includes(id) && one.endsWith('/data.bin'))) {
    await writeFile(
      path,
      (await readFile(path)).map((byte) => byte ^ 0xff),
    )
  }
}

/** Runs a process that stores small batches, kills it, and returns the names of the events that were acknowledged. */
async function writeAndDie(directory: string, round: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [WRITER, directory, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(writer, 'exit')
  const acknowledged: string[] = []
  const enough = new Promise<void>((resolve) => {
    createInterface(writer.stdout).on('line', (line) => {
      acknowledged.push(line)
      if (acknowledged.length > 20 + ((round * 37) % 200)) resolve()
    })
  })
  await Promise.race([enough, exited])
  writer.kill('SIGKILL')
  const [, signal] = await exited
  expect(signal).toBe('SIGKILL')
  return acknowledged
}

it('keeps every acknowledged event of small batches once when the process is killed', {
  ...needsEmbedded,
  timeout: 120_000 + KILLS * 15_000,
}, async () => {
  const directory = temporaryDirectory()
  const acknowledged: string[] = []
  for (let round = 0; round < KILLS; round++) {
    acknowledged.push(...(await writeAndDie(directory, round)))
    const store = await openStore({ directory, now: () => BigInt(Date.now()) * 1_000_000n })
    try {
      const stored = await counts(store, '`name:string`')
      expect(acknowledged.filter((name) => stored.get(name) !== 1)).toEqual([])
      expect([...stored].filter(([, count]) => count !== 1)).toEqual([])
    } finally {
      await store.close()
    }
  }
})
