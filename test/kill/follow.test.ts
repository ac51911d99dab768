import { appendFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { start } from '../support/evq.js'
import { roughService } from '../support/rough-service.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'
import { numbersFrom } from './random.js'

/** The long run kills as often as the other one. */
const KILLS = Number(process.env.EVQ_KILLS ?? 4)
const SEED = Number(process.env.EVQ_KILL_SEED ?? 1)

const scratch = temporaryDirectory()

it(
  'stores every line of a followed file exactly once when it is rotated and the process killed at random moments',
  async () => {
    const random = numbersFrom(SEED)
    const service = await roughService({ knowsBatchIds: true })
    const file = join(scratch, 'app.log')
    const follow = () =>
      start(['ingest', 'logs', '-F', file, '-i', 'ndjson', '--flush-every', '20ms'], {
        directory: join(scratch, 'data'),
        env: { EVQ_URL: service.url },
      })
    const writer = new Writer(file, random)
    for (let kill = 0; kill < KILLS; kill++) {
      const evq = follow()
      const moment = sleep(300 + random() * 1500).then(() => evq.child.kill('SIGKILL'))
      await writer.writeUntil(moment)
      await evq.ended
      // Lines written and rotated meanwhile are found.
      await writer.writeUntil(sleep(random() * 200))
    }
    writer.finish()
    const last = follow()
    try {
      // Duplicates would be sent before the last line.
      await until(
        () => service.events.includes(writer.lines.at(-1)!),
        () => `the last of ${writer.lines.length} lines; ${service.events.length} are stored`,
        120_000 + KILLS * 1_000,
      )
    } finally {
      last.child.kill('SIGTERM')
    }
    const { signal, stderr } = await last.ended
    expect(signal, stderr).toBe('SIGTERM')
    expect([...service.events].sort(), `seed ${SEED}`).toEqual([...writer.lines].sort())
  },
  300_000 + KILLS * 10_000,
)

/** Writes lines, often in pieces, and sometimes renames the file, like log rotation. */
class Writer {
  readonly lines: string[] = []
  private readonly file: string
  private readonly random: () => number
  private rest = ''
  private rotations = 0

  constructor(file: string, random: () => number) {
    this.file = file
    this.random = random
  }

  async writeUntil(over: Promise<unknown>): Promise<void> {
    let isOver = false
    void over.then(() => {
      isOver = true
    })
    while (!isOver) {
      this.write()
      if (this.rest === '' && this.random() < 0.02) this.rotate()
      await sleep(this.random() * 20)
    }
  }

  finish(): void {
    const last = '{"n":"last"}'
    this.lines.push(last)
    appendFileSync(this.file, `${this.rest}${last}\n`)
    this.rest = ''
  }

  private write(): void {
    const count = 1 + Math.floor(this.random() * 20)
    const lines = Array.from({ length: count }, (_, i) => `{"n":${this.lines.length + i}}`)
    this.lines.push(...lines)
    const text = `${this.rest}${lines.map((line) => `${line}\n`).join('')}`
    const cut = this.random() < 0.5 ? text.length : Math.floor(this.random() * text.length)
    appendFileSync(this.file, text.slice(0, cut))
    this.rest = text.slice(cut)
  }

  private rotate(): void {
    this.rotations += 1
    // Increasing numbers keep their order even if two files have the same millisecond.
    renameSync(this.file, `${this.file}.${String(this.rotations).padStart(4, '0')}`)
    appendFileSync(this.file, '')
  }
}
