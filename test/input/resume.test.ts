import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Batch, Position, UnsendableEvent } from '../../src/input/batch.js'
import { batches } from '../../src/input/batches.js'
import { BufferPool } from '../../src/input/buffer-pool.js'
import { detectInput } from '../../src/input/input.js'
import type { ReadOptions } from '../../src/input/read-options.js'
import { ResumedInput } from '../../src/input/resume.js'
import { RUNS } from '../support/runs.js'
import { NOW } from './log/support.js'
import { inPieces } from './support.js'

const time = (n: number) => `2026-02-03 04:05:${String(n % 60).padStart(2, '0')},007`
const trace = ['java.lang.IllegalStateException: boom', '\tat a.B.c(B.java:1)', '', '\t... 2 more']
const cri = (n: number, tag: string, text: string, stream = 'stdout') =>
  `2026-02-03T04:05:06.${String(n).padStart(9, '0')}Z ${stream} ${tag} ${text}`
const otlp = (...texts: readonly string[]) =>
  JSON.stringify({
    resourceLogs: [
      { scopeLogs: [{ logRecords: texts.map((stringValue) => ({ body: { stringValue } })) }] },
    ],
  })
const docker = (log: string, stream = 'stdout') =>
  JSON.stringify({ log, stream, time: '2026-02-03T04:05:06.000000007Z' })

interface Sample {
  /** The first lines, from which the format is detected. */
  readonly head: readonly string[]
  /** Groups of lines; any of them may follow any other. */
  readonly groups: readonly (readonly string[])[]
  readonly options?: Omit<ReadOptions, 'now'>
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  'text with times': {
    head: [`${time(0)} INFO [main] com.example.App - Started`],
    groups: [
      [`${time(1)} INFO [main] com.example.App - one`],
      [`${time(2)} ERROR [main] com.example.App - é two`, ...trace],
      [`${time(3)} WARN [main] com.example.App - ${'x'.repeat(1500)}`, 'y'.repeat(1100)],
      [''],
    ],
  },
  'access log with other lines': {
    head: ['starting', '1.1.1.1 - - [20/Feb/2026:10:00:01 +0000] "GET / HTTP/1.1" 200 1'],
    groups: [
      ['1.1.1.1 - - [20/Feb/2026:10:00:02 +0000] "GET /a HTTP/1.1" 200 1'],
      ['reloading'],
      ['ready', 'steady'],
    ],
  },
  'objects with other lines': {
    head: ['starting', '{"ts":"2026-02-03T04:05:06Z","msg":"one"}'],
    groups: [
      ['{"ts":"2026-02-03T04:05:07Z","msg":"two"}'],
      ['{"msg":"three"}'],
      ['reloading', ''],
      ['panic: boom'],
    ],
    options: { findsTimeField: true },
  },
  'text without times': {
    head: ['started', 'ready'],
    groups: [
      ['one'],
      ['two', '  indented', '', '  more'],
      ['Traceback (most recent call last):', '  File "a.py", line 1', 'KeyError: 1'],
      ['', '  '],
    ],
    options: { format: 'text' },
  },
  'text with --multiline REGEX': {
    head: ['BEGIN 0'],
    groups: [['BEGIN 1', 'a', '', 'b'], ['BEGIN 2'], ['c'], ['']],
    options: { format: 'text', multiline: /^BEGIN/ },
  },
  'a saved format with --multiline REGEX': {
    head: ['job=0 state=new'],
    groups: [['job=1 state=done', 'line 2', 'line 3'], ['job=2 state=new'], ['']],
    options: {
      format: 'text',
      multiline: /^job=/,
      lineFormat: {
        name: 'jobs',
        title: '',
        example: '',
        patterns: ['job=%{INT:job:int} state=%{WORD:state}'],
        isCustom: true,
      },
    },
  },
  cri: {
    head: [cri(0, 'F', `${time(0)} INFO [main] com.example.App - Started`)],
    groups: [
      [cri(1, 'F', `${time(1)} INFO [main] com.example.App - one`)],
      [
        cri(2, 'F', `${time(2)} ERROR [main] com.example.App - two`),
        ...trace.map((line) => cri(3, 'F', line)),
      ],
      [
        cri(4, 'P', `${time(4)} INFO [main] com.exam`),
        cri(4, 'P', 'ple.App - in'),
        cri(4, 'F', ''),
      ],
      [cri(5, 'F', '{"n":5,"message":"json"}')],
      [cri(6, 'F', `${time(6)} INFO [main] com.example.App - other`, 'stderr')],
    ],
  },
  docker: {
    head: [docker(`${time(0)} INFO [main] com.example.App - Started\n`)],
    groups: [
      [docker(`${time(1)} INFO [main] com.example.App - one\n`)],
      [
        docker(`${time(2)} ERROR [main] com.example.App - two\n`),
        ...trace.map((line) => docker(`${line}\n`)),
      ],
      [docker(`${time(4)} INFO [main] com.exam`), docker('ple.App - '), docker('in parts\n')],
      [docker('{"n":5}\n')],
      [docker(`${time(6)} INFO [main] com.example.App - other\n`, 'stderr')],
    ],
  },
  'otlp-json': {
    head: [otlp('started', 'listening')],
    groups: [[otlp('one', 'two', 'three')], [otlp()], ['{"resourceMetrics":[]}'], [otlp('four')]],
  },
  w3c: {
    head: ['#Version: 1.0', '#Date: 2026-02-03 00:00:00', '#Fields: time c-ip sc-status'],
    groups: [
      ['00:00:01 10.0.0.1 200'],
      ['#Date: 2026-02-04 00:00:00', '#Fields: time c-ip', '00:00:02 10.0.0.2'],
      ['#Fields: time c-ip sc-status', '00:00:03 10.0.0.3 404'],
      ['#Software: a', '', '#Remark: b'],
      ['00:00:04 10.0.0.4 500'],
      ['00:00:05 10.0.0.5'],
    ],
    options: { format: 'w3c' },
  },
  'syslog in files': {
    head: ['Feb  3 04:05:06 web app[1]: started'],
    groups: [
      ['Feb  3 04:05:07 web app[1]: one'],
      ['Feb  3 04:05:08 web app[1]: two', ...trace],
      ['2026-02-03T04:05:09.000001+00:00 web app: three', ' more'],
    ],
    options: { format: 'syslog' },
  },
  'syslog with priorities': {
    head: ['<34>Feb  3 04:05:06 web app: started'],
    groups: [
      ['<34>1 2026-02-03T04:05:06Z web app - - - one'],
      ['24 <34>Feb  3 04:05:07 w a: b'],
      [''],
    ],
    options: { format: 'syslog' },
  },
}

interface Read {
  readonly events: readonly string[]
  readonly problems: readonly string[]
}

type Range = Position & Pick<Batch, 'bytes' | 'lines' | 'events' | 'lastTime'>

interface Settings {
  readonly piece: number
  readonly batchBytes: number
  readonly maxEvents: number
}

const settings = fc.record({
  piece: fc.constantFrom(1, 2, 3, 7, 64, 64 * 1024),
  batchBytes: fc.integer({ min: 8, max: 3000 }),
  maxEvents: fc.integer({ min: 1, max: 8 }),
})

function eventsOf({ body }: Batch): readonly string[] {
  const lines = body.toString('utf8').split(/\r?\n/)
  return lines.filter((line) => line !== '')
}

async function open(text: Buffer, piece: number, options: ReadOptions) {
  const bytes = inPieces(text, piece)
  return detectInput(
    { name: 'input', bytes, isLive: false },
    { hasSourceFields: true, now: () => NOW, ...options },
  )
}

function problemOf({ start, reason }: UnsendableEvent): string {
  return `${start.line}: ${reason}`
}

/** Reads an input and returns its events with the range of each batch. */
async function read(
  text: Buffer,
  { piece, batchBytes, maxEvents }: Settings,
  options: ReadOptions,
) {
  const input = await open(text, piece, options)
  const found: { readonly range: Range; readonly events: readonly string[] }[] = []
  const problems: string[] = []
  let end: Position | undefined
  const limits = { pool: new BufferPool(batchBytes), maxEvents, flushMs: Infinity }
  for await (const item of batches(input, limits)) {
    if (item.kind === 'unsendable') problems.push(problemOf(item))
    else if (item.kind === 'end') end = item.position
    else {
      const { start, bytes, lines, events, lastTime } = item
      found.push({ range: { ...start, bytes, lines, events, lastTime }, events: eventsOf(item) })
      item.body.fill(0x23)
      item.release()
    }
  }
  return { input, found, problems, end, events: found.flatMap(({ events }) => events) }
}

/** Reads some batches again, and then what follows `next`, as a run does that resumes. */
async function resume(
  text: Buffer,
  { piece, batchBytes, maxEvents }: Settings,
  { pending, next, ...options }: ReadOptions & { pending: readonly Range[]; next: Position },
): Promise<Read> {
  const resumed = new ResumedInput(await open(text, piece, options))
  const events: string[] = []
  const problems: string[] = []
  for (const range of pending) events.push(...eventsOf((await resumed.batch(range))!))
  const rest = await resumed.rest({ next })
  const limits = { pool: new BufferPool(batchBytes), maxEvents, flushMs: Infinity }
  for await (const item of batches(rest!.input, limits)) {
    if (item.kind === 'batch') events.push(...eventsOf(item))
    else if (item.kind === 'unsendable') problems.push(problemOf(item))
  }
  return { events, problems }
}

const WHOLE: Settings = { piece: 1024 * 1024, batchBytes: 1024 * 1024, maxEvents: 1_000_000 }

describe.each(Object.entries(SAMPLES))('%s', (_, { head, groups, options = {} }) => {
  const texts = fc
    .record({
      groups: fc.array(fc.constantFrom(...groups), { maxLength: 12 }),
      lineEnd: fc.constantFrom('\n', '\r\n'),
      isEnded: fc.boolean(),
    })
    .map(({ groups, lineEnd, isEnded }) =>
      Buffer.from([...head, ...groups.flat()].join(lineEnd) + (isEnded ? lineEnd : '')),
    )
  const some = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 })

  it('has the same events whatever the chunks and batches, and wherever reading resumes', async () => {
    await fc.assert(
      fc.asyncProperty(texts, settings, settings, some, fc.nat(), async (text, s, t, picks, at) => {
        const whole = await read(text, WHOLE, options)
        const cut = await read(text, s, options)
        expect(cut.events).toEqual(whole.events)
        expect(cut.end).toEqual(whole.end)
        const { format, layout } = whole.input
        const known = { ...options, format, ...(layout && { layout }) } as ReadOptions
        const count = at % (cut.found.length + 1)
        const [before, after] = [cut.found.slice(0, count), cut.found.slice(count)]
        const last = before.at(-1)?.range
        const next =
          last === undefined
            ? cut.input.start
            : {
                offset: last.offset + last.bytes,
                line: last.line + last.lines,
                event: last.event + last.events,
                time: last.lastTime,
              }
        const again = before.filter((_, i) => picks[i % picks.length])
        const found = await resume(text, t, { ...known, pending: again.map((b) => b.range), next })
        expect(found.events).toEqual([...again, ...after].flatMap(({ events }) => events))
        expect(found.problems).toEqual(whole.problems)
      }),
      { numRuns: 4 * RUNS },
    )
  })
})
