import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { start } from '../support/evq.js'
import { temporaryDirectory } from '../support/temporary.js'
import { numbersFrom } from './random.js'
import { KillableService } from './service.js'

/** `EVQ_KILLS=200` is the long run; a seed that failed is tried again with `EVQ_KILL_SEED`. */
const RUNS = Number(process.env.EVQ_KILLS ?? 6)
const FIRST_SEED = Number(process.env.EVQ_KILL_SEED ?? 1)
const EVENTS = 20_000
/** Long enough for a run to come to its end before its kill now and then. */
const LONGEST_MS = 2_000

/** Who is killed: the process that is client and service at once, one of two, or both. */
const VICTIMS = ['client with its service', 'client', 'service', 'both'] as const

const FORMATS = ['ndjson', 'json', 'csv', 'gz', 'text'] as const

/** Kills that came before the command's end. */
let hits = 0

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')

it(
  'has every event exactly once after kills at random moments and the same command again',
  async () => {
    const failed: unknown[] = []
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      const found = await kill(seed)
      if (found !== undefined) failed.push({ seed, ...found })
    }
    process.stderr.write(`${RUNS} runs: ${hits} kills found the command at work\n`)
    expect(failed).toEqual([])
  },
  60_000 + RUNS * 30_000,
)

/** One run with all its kills; tells what is wrong with what is stored in the end. */
async function kill(seed: number): Promise<object | undefined> {
  const random = numbersFrom(seed)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const victim = VICTIMS[seed % VICTIMS.length]!
  const format = one(FORMATS)
  const file = write(format, `${seed}.${format}`)
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
  const kills = 1 + Math.floor(random() * 3)
  try {
    for (let i = 0; i < kills; i++) {
      const evq = start(args(), { directory, env })
      const isOver = once(evq.child, 'exit')
      await Promise.race([sleep(random() * LONGEST_MS), isOver])
      if (victim !== 'service') evq.child.kill('SIGKILL')
      if (victim === 'service' || victim === 'both') await service?.killAndRestart(random() * 300)
      const { stderr } = await evq.ended
      if (!/ stored|nothing new/.test(stderr)) hits += 1
    }
    const { status, stderr } = await start(args(), { directory, env }).ended
    if (status !== 0) return { victim, format, kills, status, stderr }
    const again = await start(args(), { directory, env }).ended
    const counts = await count(
      { dataset, field: format === 'text' ? 'message' : 'n' },
      { directory, env },
    )
    const right = { status: 0, total: EVENTS, distinct: EVENTS, most: 1 }
    const seen = { status: again.status, ...counts }
    return JSON.stringify(seen) === JSON.stringify(right) && again.stderr.includes('nothing new')
      ? undefined
      : { victim, format, kills, ...seen, stderr: [stderr, again.stderr] }
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

function write(format: (typeof FORMATS)[number], name: string): string {
  const path = join(scratch, name)
  const pad = 'x'.repeat(100)
  const numbers = Array.from({ length: EVENTS }, (_, n) => n)
  const objects = numbers.map((n) => `{"n":${n},"pad":"${pad}"}`)
  const content = {
    ndjson: () => objects.map((object) => `${object}\n`).join(''),
    gz: () => gzipSync(objects.map((object) => `${object}\n`).join('')),
    json: () => `[${objects.join(',\n')}]`,
    csv: () => `n,pad\n${numbers.map((n) => `${n},"${pad}\n"\n`).join('')}`,
    text: () => numbers.map((n) => `line ${n}\n`).join(''),
  }[format]()
  writeFileSync(path, content)
  return path
}
