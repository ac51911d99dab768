import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { randomEvent } from '../engine/random-events.js'
import { randomFrom } from '../support/events.js'
import { start } from '../support/evq.js'
import { temporaryDirectory } from '../support/temporary.js'
import { numbersFrom } from './random.js'
import { KillableService } from './service.js'

/**
 * `EVQ_KILLS=200` is the long run; `EVQ_KILL_SEED` repeats a failed seed. By default, the client and the service are killed,
 * then a client with the service inside.
 */
const RUNS = Number(process.env.EVQ_KILLS ?? 2)
const FIRST_SEED = Number(process.env.EVQ_KILL_SEED ?? 3)
const EVENTS = process.env.EVQ_KILLS === undefined ? 6_000 : 20_000
/** The duration of runs that were not killed, so that kills occur before, at and after the end. */
let usualMs = 1_000

/** The killed processes: a client with the service inside, the client, the service, or both. */
const VICTIMS = ['client with its service', 'client', 'service', 'both'] as const

/** `mixed` are events whose fields and types change: arrays, new fields, values that no column holds. */
const FORMATS = ['ndjson', 'json', 'csv', 'gz', 'text', 'mixed', 'mixed'] as const

/** Kills that occurred while the command was running. */
let hits = 0

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')

it(
  'stores every event exactly once when the command is killed at random moments and repeated',
  async () => {
    const failed: unknown[] = []
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      const found = await kill(seed)
      if (found !== undefined) failed.push({ seed, ...found })
    }
    process.stderr.write(`${RUNS} runs: ${hits} kills found the command running\n`)
    expect(failed).toEqual([])
  },
  300_000 + RUNS * 30_000,
)

/** One run with all its kills; returns the differences between the stored and the expected events. */
async function kill(seed: number): Promise<object | undefined> {
  const random = numbersFrom(seed)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const victim = VICTIMS[seed % VICTIMS.length]!
  const format = one(FORMATS)
  const file = join(scratch, `${seed}.${format}`)
  const [first, rest] = pieces(format, random())
  writeFileSync(file, first)
  const dataset = `run-${seed}`
  const service =
    victim === 'client with its service'
      ? undefined
      : await KillableService.start(join(scratch, `served-${seed}`))
  const env = service?.env ?? {}
  const args = () => [
    'ingest',
    dataset,
    file,
    '--batch-size',
    String(50 + Math.floor(random() * 400)),
    ...(format === 'text' ? ['-i', 'text'] : []),
  ]
  const grows = random() < 0.5
  const kills = 1 + Math.floor(random() * 3)
  try {
    if (grows) {
      const begun = performance.now()
      await start(args(), { directory, env }).ended
      usualMs = performance.now() - begun
    }
    appendFileSync(file, rest)
    for (let i = 0; i < kills; i++) {
      const evq = start(args(), { directory, env })
      const isOver = once(evq.child, 'exit')
      await Promise.race([sleep(random() * 1.2 * usualMs), isOver])
      if (evq.child.exitCode === null) hits += 1
      if (victim !== 'service') evq.child.kill('SIGKILL')
      if (victim === 'service' || victim === 'both') await service?.killAndRestart(random() * 300)
      await evq.ended
    }
    const { status, stderr } = await start(args(), { directory, env }).ended
    if (status !== 0) return { victim, format, grows, kills, status, stderr }
    const again = await start(args(), { directory, env }).ended
    const counts = await count(
      { dataset, field: format === 'text' ? 'message' : 'n' },
      { directory, env },
    )
    const right = { status: 0, total: EVENTS, distinct: EVENTS, most: 1, changed: 0 }
    const changed = format === 'mixed' ? await changedEvents(dataset, { directory, env }) : 0
    const seen = { status: again.status, ...counts, changed }
    return JSON.stringify(seen) === JSON.stringify(right) && again.stderr.includes('no new events')
      ? undefined
      : { victim, format, grows, kills, ...seen, stderr: [stderr, again.stderr] }
  } finally {
    await service?.stop()
  }
}

async function count(
  { dataset, field }: { readonly dataset: string; readonly field: string },
  options: Parameters<typeof start>[1],
): Promise<Record<string, number>> {
  const apl = `['${dataset}']
    | summarize events = count() by n = ${field}
    | summarize total = sum(events), distinct = count(), most = max(events)`
  const { stdout, stderr } = await start(
    ['query', apl, '-o', 'ndjson', '--since', '2000-01-01'],
    options,
  ).ended
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Returns the number of stored events that have other values than `mixedEvents` wrote. */
async function changedEvents(
  dataset: string,
  options: Parameters<typeof start>[1],
): Promise<number> {
  const apl = `['${dataset}'] | project-away _sysTime`
  const { stdout, stderr } = await start(
    ['page', apl, '-o', 'ndjson', '--since', '2000-01-01'],
    options,
  ).ended
  if (stdout === '') throw new Error(stderr)
  const expected = mixedEvents().map(({ fields }) => fields)
  const rows = stdout.trimEnd().split('\n')
  return rows.filter((row) => {
    const { n, _time, ...values } = JSON.parse(row)
    const present = Object.entries(values).filter(([, value]) => value !== null)
    return !isDeepStrictEqual(Object.fromEntries(present), expected[n])
  }).length
}

/** The same events each time, so that their number is enough to know them. */
function mixedEvents(): readonly { readonly line: string; readonly fields: object }[] {
  const random = randomFrom(1)
  const batches = 10
  return Array.from({ length: EVENTS }, (_, n) => {
    const batch = Math.floor((n / EVENTS) * batches)
    const { text, fields } = randomEvent(random, batch, batches)
    return {
      line: text === '{}' ? `{"n":${n}}\n` : `{"n":${n},${text.slice(1)}\n`,
      fields: Object.fromEntries([...fields].map(([name, shown]) => [name, JSON.parse(shown)])),
    }
  })
}

/** Writes an input in two parts; the second is appended later. */
function pieces(format: (typeof FORMATS)[number], share: number): readonly [Buffer, Buffer] {
  const text = events(format)
  // A JSON array can't be appended to.
  const cut = format === 'json' ? text.length : text.indexOf('\n', text.length * share) + 1
  const halves = [text.slice(0, cut), text.slice(cut)].map((half) => Buffer.from(half))
  const [first, second] = format === 'gz' ? halves.map((half) => gzipSync(half)) : halves
  return [first!, second!]
}

function events(format: (typeof FORMATS)[number]): string {
  const pad = 'x'.repeat(100)
  const numbers = Array.from({ length: EVENTS }, (_, n) => n)
  const lines = () => numbers.map((n) => `{"n":${n},"pad":"${pad}"}\n`)
  switch (format) {
    case 'ndjson':
    case 'gz':
      return lines().join('')
    case 'json':
      return `[${lines().join(',')}]`
    case 'csv':
      return `n,pad\n${numbers.map((n) => `${n},"${pad}\n"\n`).join('')}`
    case 'text':
      return numbers.map((n) => `line ${n}\n`).join('')
    case 'mixed':
      return mixedEvents()
        .map(({ line }) => line)
        .join('')
    default:
      return format satisfies never
  }
}
