import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type EvqOptions, start } from '../support/evq.js'
import { temporaryDirectory } from '../support/temporary.js'
import { numbersFrom } from './random.js'
import { KillableService } from './service.js'

/** `EVQ_KILLS=200` is the long run; `EVQ_KILL_SEED` repeats a failed seed. By default, the client and the service are killed. */
const RUNS = Number(process.env.EVQ_KILLS ?? 1)
const FIRST_SEED = Number(process.env.EVQ_KILL_SEED ?? 3)
const EVENTS = process.env.EVQ_KILLS === undefined ? 3_000 : 6_000
/** The duration of runs that were not killed, so that kills occur before, at and after the end. */
let usualMs = 1_500

/** The killed processes: a client with the service inside, the client, the service, or both. */
const VICTIMS = ['client with its service', 'client', 'service', 'both'] as const

/** Kills that occurred while the command was running. */
let hits = 0
/** Queries during the runs that got a response. */
let polls = 0

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')
const TEXT = Array.from({ length: EVENTS }, (_, n) => `{"n":${n},"pad":"${'x'.repeat(80)}"}\n`)

it(
  'one version of a file is stored at most when --replace is killed at random moments, and one exactly at the end',
  async () => {
    const failed: unknown[] = []
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      failed.push(...(await kill(seed)).map((found) => ({ seed, ...found })))
    }
    process.stderr.write(
      `${RUNS} runs: ${hits} kills found the command running, ${polls} queries\n`,
    )
    expect(failed).toEqual([])
  },
  300_000 + RUNS * 60_000,
)

/** One run with all its kills; returns what is wrong. */
async function kill(seed: number): Promise<readonly object[]> {
  const random = numbersFrom(seed)
  const victim = VICTIMS[seed % VICTIMS.length]!
  const [file, other] = ['file', 'other'].map((name) => join(scratch, `${seed}-${name}.ndjson`))
  // Equal events of another file must not be removed.
  for (const path of [file!, other!]) writeFileSync(path, TEXT.join(''))
  const service =
    victim === 'client with its service'
      ? undefined
      : await KillableService.start(join(scratch, `served-${seed}`))
  const options: EvqOptions = { directory, env: service?.env ?? {} }
  const dataset = `run-${seed}`
  const ingest = (path: string, version: string, ...flags: readonly string[]) =>
    start(
      [
        ...['ingest', dataset, path, '-l', `v=${version}`, ...flags],
        ...['--batch-size', String(50 + Math.floor(random() * 400))],
      ],
      options,
    )
  const killed = async (version: string, ...flags: readonly string[]) => {
    const evq = ingest(file!, version, ...flags)
    const isOver = once(evq.child, 'exit')
    await Promise.race([sleep(random() * 1.2 * usualMs), isOver])
    if (evq.child.exitCode === null) hits += 1
    if (victim !== 'service') evq.child.kill('SIGKILL')
    if (victim === 'service' || victim === 'both') await service?.killAndRestart(random() * 300)
    await evq.ended
  }
  const wrong: object[] = []
  const check = (counts: Counts, more: object = {}) => {
    const versions = Object.keys(counts).filter((version) => version !== 'other')
    if (versions.length > 1 || counts.other?.total !== EVENTS)
      wrong.push({ victim, ...counts, ...more })
  }
  await ingest(other!, 'other').ended
  const poller = service && poll(dataset, service.env, check)
  try {
    // The earlier run may be incomplete.
    if (random() < 0.5) await killed('first')
    else await ingest(file!, 'first').ended
    let version = ''
    for (let i = 1 + Math.floor(random() * 3); i > 0; i--) {
      version = random() < 0.7 ? 'second' : 'third'
      await killed(version, '--replace')
      check(await counted(dataset, options))
    }
    const begun = performance.now()
    const { status, stderr } = await ingest(file!, version, '--replace').ended
    usualMs = (usualMs + performance.now() - begun) / 2
    const counts = await counted(dataset, options)
    check(counts, { stderr })
    const whole = { total: EVENTS, distinct: EVENTS }
    const right = { other: whole, [version]: whole }
    if (status !== 0 || JSON.stringify(counts) !== JSON.stringify(right))
      wrong.push({ victim, status, counts, stderr })
    return wrong
  } finally {
    await poller?.stop()
    await service?.stop()
  }
}

/** The numbers of all events and of distinct ones, by the version that stored them. */
type Counts = Readonly<Record<string, { readonly total: number; readonly distinct: number }>>

const aplFor = (dataset: string) =>
  `['${dataset}'] | summarize events = count() by v, n
    | summarize total = sum(events), distinct = count() by v | order by v asc`

async function counted(dataset: string, options: EvqOptions): Promise<Counts> {
  const args = ['query', aplFor(dataset), '-o', 'ndjson', '--since', '2000-01-01']
  const { stdout, status, stderr } = await start(args, options).ended
  if (status !== 0) throw new Error(stderr)
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return Object.fromEntries(rows.map(({ v, ...counts }) => [v, counts]))
}

/** Queries the service continuously, and passes on the counts whenever it responds. */
function poll(
  dataset: string,
  { EVQ_URL, EVQ_TOKEN }: KillableService['env'],
  check: (counts: Counts) => void,
) {
  let isOver = false
  const query = async () => {
    const response = await fetch(`${EVQ_URL}/v1/datasets/_apl?format=tabular`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${EVQ_TOKEN}` },
      body: JSON.stringify({ apl: aplFor(dataset), startTime: '2000-01-01T00:00:00Z' }),
    })
    if (response.status !== 200) return
    const { tables } = JSON.parse(await response.text())
    const [versions, totals, distincts] = tables[0].columns
    polls += 1
    const entries = versions.map((v: string, i: number) => [
      v,
      { total: totals[i], distinct: distincts[i] },
    ])
    check(Object.fromEntries(entries))
  }
  const polling = (async () => {
    while (!isOver) {
      // The service may have been killed.
      await query().catch(() => {})
      await sleep(20)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await polling
    },
  }
}
