import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Ended, evq, start } from '../support/evq.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'
import { numbersFrom } from './random.js'
import { KillableService } from './service.js'

/** `EVQ_KILLS=200` is the long run; `EVQ_KILL_SEED` repeats a failed seed. */
const ROUNDS = Number(process.env.EVQ_KILLS ?? 4)
const FIRST_SEED = Number(process.env.EVQ_KILL_SEED ?? 1)
const EVENTS = 6_000
const SIGNALS = ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const
const COMMANDS = ['ingest', 'query', 'page', 'tail'] as const
/** Enough runs to complete any export or ingest between interruptions. */
const MOST_RUNS = 100

const scratch = temporaryDirectory()
const local = join(scratch, 'local')
const LINES = Array.from({ length: EVENTS }, (_, n) => `{"n":${n},"pad":"${'x'.repeat(100)}"}\n`)

interface Target {
  readonly directory: string
  readonly env?: Readonly<Record<string, string>>
}

/** Milliseconds from a signal to the exit of the process. */
const took = { ingest: [], query: [], page: [], tail: [] } as Record<string, number[]>
/** The durations of commands that were not interrupted. */
const usualMs = new Map<string, number>()

it(
  'a command interrupted at any moment dies by the signal, leaves no process, and loses or duplicates no event',
  async () => {
    const service = await KillableService.start(join(scratch, 'served'))
    const places: readonly Target[] = [
      { directory: local },
      { directory: join(scratch, 'unused'), env: service.env },
    ]
    const failed: unknown[] = []
    try {
      for (const place of places) {
        const stored = await evq(['ingest', 'base'], { ...place, stdin: LINES.join('') })
        expect(stored).toMatchObject({ status: 0 })
      }
      for (let seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
        const command = COMMANDS[seed % COMMANDS.length]!
        const place = places[Math.floor(seed / COMMANDS.length) % places.length]!
        const round = new Round(command, { place, seed })
        const wrong = await round.run().catch((error: unknown) => [String(error)])
        if (wrong.length > 0) failed.push({ seed, command, isLocal: place === places[0], wrong })
      }
    } finally {
      await service.stop()
    }
    process.stderr.write(`${ROUNDS} rounds; ms from a signal to the end: ${figures()}\n`)
    expect(failed).toEqual([])
  },
  300_000 + ROUNDS * 120_000,
)

/** Interrupts a command at random moments until it completes, and checks its results. */
class Round {
  private readonly wrong: string[] = []
  private readonly command: (typeof COMMANDS)[number]
  private readonly place: Target
  private readonly name: string
  private readonly random: () => number

  constructor(
    command: (typeof COMMANDS)[number],
    { place, seed }: { readonly place: Target; readonly seed: number },
  ) {
    this.command = command
    this.place = place
    this.name = `${command}-${seed}`
    this.random = numbersFrom(seed)
  }

  async run(): Promise<readonly string[]> {
    await this[this.command]()
    return this.wrong
  }

  private async ingest(): Promise<void> {
    const file = join(scratch, `${this.name}.ndjson`)
    writeFileSync(file, LINES.join(''))
    const size = String(50 + Math.floor(this.random() * 400))
    await this.untilWhole(['ingest', this.name, file, '--batch-size', size])
    await this.expectCounts(this.name)
  }

  private async page(): Promise<void> {
    const out = join(scratch, `${this.name}.ndjson`)
    const args = ['page', "['base'] | project _time, n", '--direction', 'asc', '--page-size', '200']
    await this.untilWhole([...args, '-O', out, '--checkpoint', `${out}.state`, '--columns', 'n'])
    const numbers = readFileSync(out, 'utf8').trim().split('\n').map(numberIn)
    const distinct = new Set(numbers).size
    if (numbers.length !== EVENTS || distinct !== EVENTS) {
      this.wrong.push(`${numbers.length} rows, ${distinct} different`)
    }
  }

  private async query(): Promise<void> {
    const apl = "['base'] | summarize total = sum(n), events = count()"
    for (let run = 0; run < 4; run++) {
      const { stdout, signal } = await this.interrupted(['query', apl])
      const isWhole = stdout === `{"total":${(EVENTS * (EVENTS - 1)) / 2},"events":${EVENTS}}\n`
      if (signal === null ? !isWhole : stdout !== '' && !isWhole) this.wrong.push(stdout)
    }
    await this.expectCounts('base')
  }

  /** Follows a dataset while events arrive in it. */
  private async tail(): Promise<void> {
    const quarter = (n: number) => ({
      ...this.place,
      stdin: LINES.slice((n * EVENTS) / 4, ((n + 1) * EVENTS) / 4).join(''),
    })
    // A dataset that does not exist cannot be followed.
    const first = await evq(['ingest', this.name], quarter(0))
    if (first.status !== 0) this.wrong.push(first.stderr)
    for (let n = 1; n < 4; n++) {
      const arriving = evq(['ingest', this.name], quarter(n))
      const { stdout } = await this.interrupted(['tail', this.name, '--interval', '50ms'])
      const { status, stderr } = await arriving
      if (status !== 0) this.wrong.push(stderr)
      const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1)
      const numbers = whole === '' ? [] : whole.trimEnd().split('\n').map(numberIn)
      if (new Set(numbers).size !== numbers.length) this.wrong.push('tail printed an event twice')
    }
    await this.expectCounts(this.name)
  }

  private async untilWhole(args: readonly string[]): Promise<void> {
    for (let run = 0; run < MOST_RUNS; run++) {
      // The delay increases with the number of interruptions.
      const { status, signal, stderr } = await this.interrupted(args, 1 + run / 4)
      if (status === 0) return
      if (signal === null) return void this.wrong.push(`ended with ${status}: ${stderr}`)
    }
    this.wrong.push(`not done after ${MOST_RUNS} runs`)
  }

  /** Runs a command and sends it a signal, sometimes two, at random moments. */
  private async interrupted(args: readonly string[], factor = 1): Promise<Ended> {
    const signal = SIGNALS[Math.floor(this.random() * SIGNALS.length)]!
    const usual = usualMs.get(this.command) ?? 1_500
    const begun = performance.now()
    // A separate process group shows whether any process is left.
    const running = start(args, { ...this.place, stdin: '', spawn: { detached: true } })
    await Promise.race([running.ended, sleep(this.random() * usual * factor)])
    const hasEnded = running.child.exitCode !== null || running.child.signalCode !== null
    const sent = performance.now()
    running.child.kill(signal)
    if (this.random() < 0.2) {
      await sleep(this.random() * 50)
      running.child.kill(signal)
    }
    const ended = await running.ended
    if (ended.signal !== null) took[this.command]!.push(performance.now() - sent)
    else if (hasEnded && ended.status === 0) usualMs.set(this.command, performance.now() - begun)
    if (ended.signal !== null ? ended.signal !== signal : ended.status !== 0) {
      this.wrong.push(`${signal} ended it as ${ended.signal ?? ended.status}: ${ended.stderr}`)
    }
    if (/^\s+at |This is a bug/m.test(ended.stderr)) this.wrong.push(ended.stderr)
    const { pid = 0 } = running.child
    await until(() => !isGroupRunning(pid), 'no process of the command is left')
    return ended
  }

  private async expectCounts(dataset: string): Promise<void> {
    const apl = `['${dataset}'] | summarize events = count() by n
      | summarize total = sum(events), distinct = count(), most = max(events)`
    const { stdout, stderr } = await evq(['query', apl, '--since', '2000-01-01'], this.place)
    const right = `{"total":${EVENTS},"distinct":${EVENTS},"most":1}\n`
    if (stdout !== right) this.wrong.push(`${dataset}: ${stdout}${stderr}`)
  }
}

function numberIn(line: string): number {
  return (JSON.parse(line) as { readonly n: number }).n
}

function isGroupRunning(pid: number): boolean {
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}

function figures(): string {
  return Object.entries(took)
    .map(([command, times]) => {
      const sorted = times.map(Math.round).sort((a, b) => a - b)
      return `${command} ${sorted.length} times, median ${sorted[sorted.length >> 1]}, most ${sorted.at(-1)}`
    })
    .join('; ')
}
