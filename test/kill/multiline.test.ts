import { once } from 'node:events'
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { start } from '../support/evq.js'
import { temporaryDirectory } from '../support/temporary.js'
import { numbersFrom } from './random.js'
import { KillableService } from './service.js'
import { LogWriter, storedOf } from './stack-traces.js'

/**
 * `EVQ_KILLS=200` is the long run; `EVQ_KILL_SEED` repeats a failed seed. By default, lines are added to a file, and the client
 * and the service are killed.
 */
const ROUNDS = Number(process.env.EVQ_KILLS ?? 1)
const FIRST_SEED = Number(process.env.EVQ_KILL_SEED ?? 7)
const EVENTS = process.env.EVQ_KILLS === undefined ? 6_000 : 20_000
/** The duration of a run that was not killed. */
let usualMs = 3_000

const VICTIMS = ['client with its service', 'client', 'service', 'both'] as const
/** The changes of the file after a first run that is not killed. */
const CHANGES = ['new file', 'events added', 'lines added', 'truncated', 'replaced'] as const

let hits = 0

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')

it(
  'stores every event of a log with stack traces exactly once when the command is killed at random moments and repeated',
  async () => {
    const failed: unknown[] = []
    for (let seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
      const wrong = await round(seed).catch((error: unknown) => [String(error)])
      if (wrong.length > 0) failed.push({ seed, wrong })
    }
    process.stderr.write(
      `${ROUNDS} rounds of ${EVENTS} events: ${hits} kills hit a running command\n`,
    )
    expect(failed).toEqual([])
  },
  300_000 + ROUNDS * 120_000,
)

/** One file with all its kills; returns the differences between the stored and the expected events. */
async function round(seed: number): Promise<readonly unknown[]> {
  const random = numbersFrom(seed)
  const victim = VICTIMS[seed % VICTIMS.length]!
  const change = CHANGES[seed % CHANGES.length]!
  const file = join(scratch, `${seed}.log`)
  const dataset = `run-${seed}`
  const service =
    victim === 'client with its service'
      ? undefined
      : await KillableService.start(join(scratch, `served-${seed}`))
  const place = { directory, env: service?.env ?? {} }
  const args = () => [
    'ingest',
    dataset,
    file,
    ...['--batch-size', String(50 + Math.floor(random() * 400))],
    ...['--concurrency', String(1 + Math.floor(random() * 4))],
  ]
  try {
    const log = new LogWriter(random)
    const expected = await prepare(change, { log, file, run: () => start(args(), place).ended })
    const kills = 1 + Math.floor(random() * 3)
    for (let i = 0; i < kills; i++) {
      const evq = start(args(), place)
      const isOver = once(evq.child, 'exit')
      await Promise.race([sleep(random() * usualMs), isOver])
      if (evq.child.exitCode === null) hits += 1
      if (victim !== 'service') evq.child.kill('SIGKILL')
      if (victim === 'service' || victim === 'both') await service?.killAndRestart(random() * 300)
      await evq.ended
    }
    const { status, stderr } = await start(args(), place).ended
    const again = await start(args(), place).ended
    const wrong = differences(expected, await stored(dataset, place))
    if (status === 0 && again.stderr.includes('no new events') && wrong.length === 0) return []
    return [{ victim, change, kills, status, stderr, again: again.stderr }, ...wrong]
  } finally {
    await service?.stop()
  }
}

interface Change {
  readonly log: LogWriter
  readonly file: string
  readonly run: () => Promise<{ readonly status: number | null; readonly stderr: string }>
}

/** Writes the file, runs the command and changes the file; returns all events that must be stored in the end. */
async function prepare(
  change: (typeof CHANGES)[number],
  { log, file, run }: Change,
): Promise<readonly string[]> {
  if (change === 'new file') {
    const text = log.events(EVENTS)
    writeFileSync(file, text)
    return storedOf(text)
  }
  const first = log.events(EVENTS / 2)
  writeFileSync(file, first)
  const begun = performance.now()
  const { status, stderr } = await run()
  usualMs = performance.now() - begun
  if (status !== 0) throw new Error(stderr)
  if (change === 'truncated') {
    const whole = Buffer.from(first)
    // Within an event: its first lines are an event of the shorter file.
    const length = whole.lastIndexOf('\n', whole.length / 2) + 1
    truncateSync(file, length)
    return [...storedOf(first), ...storedOf(whole.subarray(0, length).toString())]
  }
  // Lines that are added after an event was sent are an event of their own.
  const second = (change === 'lines added' ? log.lines(5) : '') + log.events(EVENTS / 2)
  if (change === 'replaced') writeFileSync(file, second)
  else appendFileSync(file, second)
  return [...storedOf(first), ...storedOf(second)]
}

/** Returns the time and the message of each stored event, as `storedOf` does. */
async function stored(
  dataset: string,
  place: Parameters<typeof start>[1],
): Promise<readonly string[]> {
  // The time of arrival of events that have none is not compared.
  const apl = `['${dataset}'] | project time = iff(isnull(logger), '', tostring(_time)), message`
  const flags = ['-o', 'ndjson', '-n', String(10 * EVENTS), '--since', '2000-01-01']
  const { stdout, stderr } = await start(['query', apl, ...flags], place).ended
  if (stdout === '') throw new Error(stderr)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { time, message } = JSON.parse(line)
      return `${time && new Date(time).toISOString()} ${message}`
    })
}

/** Returns a few events that are stored more or less often than expected. */
function differences(expected: readonly string[], found: readonly string[]): readonly unknown[] {
  const counts = new Map<string, number>()
  for (const event of expected) counts.set(event, (counts.get(event) ?? 0) - 1)
  for (const event of found) counts.set(event, (counts.get(event) ?? 0) + 1)
  const wrong = [...counts].filter(([, count]) => count !== 0)
  if (wrong.length === 0) return []
  const shown = wrong.slice(0, 5).map(([event, count]) => ({ count, event: event.slice(0, 300) }))
  return [{ expected: expected.length, found: found.length, wrong: wrong.length }, ...shown]
}
