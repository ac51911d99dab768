import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { batches } from '../../../../src/input/batches.js'
import { BufferPool } from '../../../../src/input/buffer-pool.js'
import { streamBytes } from '../../../../src/input/byte-source.js'
import { detectInput } from '../../../../src/input/input.js'
import { ConversionThread } from '../../../../src/input/log/thread/conversion-thread.js'
import { ConversionThreads } from '../../../../src/input/log/thread/conversion-threads.js'
import { timeZone } from '../../../../src/wire/time/time-zone.js'
import { parseTimestamp } from '../../../../src/wire/time/timestamp.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { until } from '../../../support/until.js'
import { type CutOptions, cut, inPieces } from '../../support.js'

const WORKER = pathToFileURL(join(import.meta.dirname, '../../../../bin/conversion-worker.js'))
const LINES = 2000

/** 1 January 2026, when the lines of December are of the year before. */
const NEW_YEAR = parseTimestamp('2026-01-01T12:00:00Z')!

async function started(file = WORKER, most = 1): Promise<ConversionThreads> {
  const threads = new ConversionThreads(file, { most, after: 20_000 })
  threads.start(most)
  await until(() => threads.ready.length === most, 'the threads are ready')
  return threads
}

const lines = (line: (i: number) => string, end = '\n') =>
  Array.from({ length: LINES }, (_, i) => line(i) + end).join('')

const two = (number: number) => String(number).padStart(2, '0')
const clock = (i: number) =>
  `${two(Math.floor(i / 3600) % 24)}:${two(Math.floor(i / 60) % 60)}:${two(i % 60)}`

/** A moment in the hour around New Year. */
const turn = (i: number) =>
  i < LINES / 2 ? `23:${two(Math.floor(i / 60))}:${two(i % 60)}` : clock(i)
const monthDay = (i: number) => (i < LINES / 2 ? 'Dec 31' : 'Jan  1')

const TRACE = [
  'java.lang.IllegalStateException: order is "closed"',
  '\tat com.example.Orders.close(Orders.java:101)',
  '\tat com.example.Main.main(Main.java:7)',
  'Caused by: java.io.IOException: \\ end',
  '\t... 2 more',
]
const trace = (i: number, end = '\n') => (i % 7 === 3 ? end + TRACE.join(end) : '')
const unread = (i: number) => (i % 50 === 49 ? 'neither a time nor a level' : undefined)

const LEVELS = ['INFO ', 'WARN ', 'DEBUG', 'ERROR']
const log4j = (i: number, end = '\n') =>
  `2026-01-01 ${clock(i)},${100 + (i % 900)} ${LEVELS[i % 4]} [exec-${i % 9}] com.example.Orders${i % 5} - order "${i}" served${trace(i, end)}`

const INPUTS: Readonly<Record<string, { readonly text: string; readonly options?: CutOptions }>> = {
  'log4j with stack traces': { text: lines((i) => log4j(i)) },
  'log4j with CRLF': { text: lines((i) => log4j(i, '\r\n'), '\r\n') },
  'log4j with lines of no format': { text: `${lines((i) => unread(i) ?? log4j(i))}no end` },
  'log4j in which nothing continues': {
    text: lines((i) => log4j(i)),
    options: { multiline: 'off' },
  },
  'log4j with blank lines and bytes that are no UTF-8': {
    text: lines((i) => (i % 3 === 0 ? '' : `${log4j(i)} \u00e4${i % 11 === 0 ? '\udcff' : ''}`)),
  },
  'log4j with a zone': {
    text: lines((i) => log4j(i)),
    options: { zone: timeZone('Europe/Berlin')! },
  },
  'log4j without times': { text: lines((i) => log4j(i)), options: { findsTime: false } },
  'syslog around New Year': {
    text: lines((i) => `${monthDay(i)} ${turn(i)} web-1 orders[${i % 99}]: order "${i}" served`),
    options: { lastWritten: NEW_YEAR },
  },
  'syslog from a year on': {
    text: lines((i) => `${monthDay(i)} ${turn(i)} web-1 orders[7]: order ${i}${trace(i)}`),
    options: { year: 2019, lastWritten: NEW_YEAR },
  },
  'syslog with priorities': {
    text: lines((i) =>
      i % 2 === 0
        ? `<${i % 190}>1 2026-01-01T${clock(i)}.5Z host app ${i} ID [a@1 b="${i}"] text`
        : `<${i % 190}>${monthDay(i)} ${turn(i)} host sshd[1]: Invalid user u${i} from 10.0.0.1 port 22`,
    ),
    options: { lastWritten: NEW_YEAR },
  },
  'klog around New Year': {
    text: lines(
      (i) =>
        `I${i < LINES / 2 ? '1231' : '0101'} ${turn(i)}.000123 ${i} main.go:${i % 200}] served ${i}${i % 9 === 1 ? '\n  more' : ''}`,
    ),
    options: { lastWritten: NEW_YEAR },
  },
  'lines whose months go back': {
    text: lines((i) => `${i % 1000 < 500 ? 'Nov 20' : 'Feb  3'} ${clock(i)} ERROR order ${i}`),
    options: { format: 'text', lastWritten: NEW_YEAR },
  },
  'lines with a time in a given format': {
    text: lines((i) => `at ${clock(i)}|order ${i}`),
    options: { format: 'text', timeFormat: /\d\d:\d\d:\d\d/ },
  },
  'events that a given expression begins': {
    text: lines((i) =>
      i % 4 === 0
        ? `# ${i}`
        : `part ${i} of an order with so many parts that it fills more than one batch`,
    ),
    options: { format: 'text', multiline: /^#/ },
  },
  'a saved format': {
    text: lines((i) => `${i % 7};2026-01-01 ${clock(i)};order ${i}`),
    options: {
      format: 'text',
      lineFormat: {
        name: 'orders',
        title: 'orders',
        example: '',
        patterns: ['%{INT:kind:long};(?<time>[^;]+);%{GREEDYDATA:message}'],
        isCustom: true,
      },
    },
  },
  'nginx, common log format': {
    text: lines(
      (i) =>
        `10.0.0.${i % 99} - - [01/Jan/2026:${clock(i)} +0100] "GET /${i} HTTP/1.1" 200 ${i} "-" "curl \\"x\\""`,
    ),
  },
  logfmt: {
    text: lines(
      (i) => `time=2026-01-01T${clock(i)}Z level=info msg="order ${i} \\"x\\"" took=${i}ms`,
    ),
  },
  'lines of which most have no time': {
    text: lines((i) =>
      i % 3 === 0 || i < 300 ? `2026-01-01 ${clock(i)} INFO order ${i}` : `order ${i}`,
    ),
    options: { multiline: 'off' },
  },
  'containers, with lines in parts': {
    text: lines(
      (i) =>
        `2026-01-01T${clock(i)}.000000001Z stdout ${i % 5 === 2 ? 'P' : 'F'} INFO order ${i}${i % 9 === 4 ? `\n2026-01-01T${clock(i)}.1Z stdout F \tat a.b.C.d(C.java:1)` : ''}`,
    ),
  },
  'docker, with JSON in it': {
    text: lines((i) =>
      JSON.stringify({
        log: i % 3 === 0 ? `{"order":${i},"level":"info"}\n` : `WARN order ${i}\n`,
        stream: 'stderr',
        time: `2026-01-01T${clock(i)}.123456789Z`,
      }),
    ),
  },
}

describe.each([1, 3])('%i threads', (most) => {
  let threads: ConversionThreads
  beforeAll(async () => {
    threads = await started(WORKER, most)
  })
  afterAll(() => threads.close())

  const LIMITS = [{ maxEvents: 64 }, { batchBytes: 6000 }, { maxEvents: 1000, batchBytes: 100_000 }]
  it.each(Object.entries(INPUTS))('convert %s as the main thread does', async (_, input) => {
    const bytes = Buffer.from(input.text.replaceAll('\udcff', '\u0001')).map((byte) =>
      byte === 1 ? 0xff : byte,
    )
    const text = Buffer.from(bytes)
    for (const limits of LIMITS) {
      const options = { now: NEW_YEAR, ...input.options, ...limits }
      const moved = vi.spyOn(threads, 'nextId')
      const found = await cut(inPieces(text, 5000), { ...options, threads })
      expect(moved).toHaveBeenCalledOnce()
      moved.mockRestore()
      expect(found).toEqual(await cut(inPieces(text, 5000), options))
    }
  })

  it('gives times around New Year their years', async () => {
    const { text, options } = INPUTS['syslog around New Year']!
    const found = await cut(text, { now: NEW_YEAR, ...options, maxEvents: 100, threads })
    const events = found.flatMap((batch) =>
      'body' in batch ? batch.body.trimEnd().split('\n') : [],
    )
    const years = events.map((event) => (JSON.parse(event) as { _time: string })._time.slice(0, 4))
    expect(years.lastIndexOf('2025')).toBe(LINES / 2 - 1)
    expect(years.indexOf('2026')).toBe(LINES / 2)
    expect(found.at(-2)).toMatchObject({ lineTime: { years: [2025, 2026] } })
  })

  it('is not used for a W3C log, whose directives are read in between', async () => {
    const text = `#Fields: date time c-ip\n${lines((i) => `2026-01-01 ${clock(i)} 10.0.0.1`)}`
    const moved = vi.spyOn(threads, 'nextId')
    const options = { format: 'w3c', maxEvents: 100 } as const
    expect(await cut(text, { ...options, threads })).toEqual(await cut(text, options))
    expect(moved).not.toHaveBeenCalled()
    moved.mockRestore()
  })

  it('is not used before batches are full', async () => {
    const moved = vi.spyOn(threads, 'nextId')
    await cut(
      lines((i) => log4j(i)),
      { maxEvents: LINES * 10, batchBytes: 64 * 1024 * 1024, threads },
    )
    expect(moved).not.toHaveBeenCalled()
    moved.mockRestore()
  })

  it('yields what has arrived while nothing follows it', async () => {
    const { stream, items } = await reading(threads)
    for (let i = 0; i < 5; i++) {
      stream.write(lines((at) => log4j(at)))
      let seen = 0
      while (seen < LINES - 1) {
        const { value } = await items.next()
        if (value?.kind === 'batch') seen += value.events
      }
    }
    stream.end()
    const rest = []
    for await (const item of items) rest.push(item.kind)
    expect(rest.at(-1)).toBe('end')
  })

  it('stops when nobody wants the rest', async () => {
    const { stream, items } = await reading(threads)
    stream.write(lines((i) => log4j(i)))
    for (let i = 0; i < 10; i++) await items.next()
    await items.return(undefined)
    expect((await items.next()).done).toBe(true)
  })

  it('converts what was read before an interruption', async () => {
    const stop = new AbortController()
    const { stream, items } = await reading(threads, stop.signal)
    stream.write(`${lines((i) => log4j(i))}2026-01-01 00:00:00,1 INFO [a] b.C - half`)
    let events = 0
    let last = ''
    for await (const item of items) {
      last = item.kind
      if (item.kind === 'batch') events += item.events
      if (events > LINES / 2) stop.abort()
    }
    expect(last).toBe('end')
    expect(events).toBeGreaterThan(LINES / 2)
  })

  /** Reads a pipe that stays open. */
  async function reading(on: ConversionThreads, signal?: AbortSignal) {
    const stream = new PassThrough()
    stream.write(log4j(0))
    const bytes = streamBytes(stream, signal)
    const ready = detectInput({ name: 'pipe', bytes, isLive: true }, { format: 'text' })
    stream.write('\n')
    const limits = { pool: new BufferPool(100_000), maxEvents: 100, flushMs: 50, threads: on }
    const input = await ready
    return { stream, items: batches(input, { ...limits, ...(signal && { signal }) }) }
  }
})

const directory = temporaryDirectory()

function worker(name: string, code: string): URL {
  const file = join(directory, `${name}.cjs`)
  writeFileSync(file, code)
  return pathToFileURL(file)
}

describe('a slow thread', () => {
  it.each([
    'log4j with stack traces',
    'lines of which most have no time',
    'syslog around New Year',
  ])('leaves batches to the main thread: %s', async (name) => {
    const { text, options } = INPUTS[name]!
    const slow = `const { parentPort } = require('node:worker_threads'), on = parentPort.on.bind(parentPort); parentPort.on = (name, listener) => on(name, (request) => setTimeout(listener, 30, request)); import(${JSON.stringify(WORKER)})`
    const threads = await started(worker('slow', slow))
    const moved = vi.spyOn(threads, 'nextId')
    const asked = vi.spyOn(ConversionThread.prototype, 'convert')
    const limits = { now: NEW_YEAR, ...options, maxEvents: 100 }
    const found = await cut(text, { ...limits, threads })
    expect(moved).toHaveBeenCalledOnce()
    expect(asked.mock.calls.length).toBeGreaterThan(1)
    expect(asked.mock.calls.length).toBeLessThan(found.length - 2)
    vi.restoreAllMocks()
    expect(found).toEqual(await cut(text, limits))
    await threads.close()
  })
})

describe('a thread that fails', () => {
  const text = lines((i) => log4j(i))
  const begins =
    "const { parentPort } = require('node:worker_threads'); parentPort.postMessage({ kind: 'ready' }); "

  it('to convert is an error of the input', async () => {
    const fails = `parentPort.on('message', ({ kind }) => kind === 'convert' && parentPort.postMessage({ kind: 'failed', error: new RangeError('too deep') }))`
    const threads = await started(worker('fails', begins + fails))
    await expect(cut(text, { maxEvents: 100, threads })).rejects.toThrow(new RangeError('too deep'))
    await threads.close()
  })

  it('by itself is an error of the input', async () => {
    const ends = `parentPort.on('message', ({ kind }) => { if (kind === 'convert') throw new Error('out of memory') })`
    const threads = await started(worker('ends', begins + ends))
    await expect(cut(text, { maxEvents: 100, threads })).rejects.toThrow('out of memory')
    await expect(cut(text, { maxEvents: 100, threads })).resolves.toEqual(
      await cut(text, { maxEvents: 100 }),
    )
  })

  it('to start is not used', async () => {
    const threads = new ConversionThreads(worker('broken', 'throw new Error("broken")'), {
      after: 0,
    })
    threads.start()
    await sleep(200)
    const found = await cut(text, { maxEvents: 100, threads })
    expect(found).toEqual(await cut(text, { maxEvents: 100 }))
  })
})
