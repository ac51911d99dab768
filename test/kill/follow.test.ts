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

interface Kind {
  readonly name: string
  /** Returns the lines of the event of this number. */
  readonly event: (n: number, random: () => number) => readonly string[]
  /** Returns the lines of a stored event, as `written` returns those of the file. */
  readonly stored: (event: string) => readonly string[]
  readonly written: (line: string) => string
}

const LINES: Kind = {
  name: 'ndjson',
  event: (n) => [`{"n":${n}}`],
  stored: (event) => [event],
  written: (line) => line,
}

const FIRST = '2026-02-03 04:05:06,007 ERROR [main] com.example.App - '

const TRACES: Kind = {
  name: 'log4j',
  event: (n, random) => [
    `${FIRST}event ${n}`,
    ...Array.from({ length: Math.floor(random() * 6) }, (_, i) => `\tat c.E${n}.run(A.java:${i})`),
  ],
  stored: (event) => (JSON.parse(event) as { message: string }).message.split('\n'),
  written: (line) => line.replace(FIRST, ''),
}

it.each([LINES, TRACES])(
  'stores every line of a followed file of $name exactly once when it is rotated and the process killed at random moments',
  async (kind) => {
    const random = numbersFrom(SEED)
    const service = await roughService({ knowsBatchIds: true })
    const file = join(scratch, `${kind.name}.log`)
    const follow = () =>
      start(['ingest', 'logs', '-F', file, '-i', kind.name, '--flush-every', '20ms'], {
        directory: join(scratch, 'data'),
        env: { EVQ_URL: service.url },
      })
    const writer = new Writer(file, {
      kind,
      random,
      // Files that were rotated before the first run are not followed.
      canRotate: () => service.events.length > 0,
    })
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
    const stored = () => service.events.flatMap(kind.stored)
    const written = writer.lines.map(kind.written)
    try {
      // Duplicates would be sent before the last line.
      await until(
        () => stored().includes(written.at(-1)!),
        () => `the last of ${written.length} lines; ${stored().length} are stored`,
        120_000 + KILLS * 1_000,
      )
    } finally {
      last.child.kill('SIGTERM')
    }
    const { signal, stderr } = await last.ended
    expect(signal, stderr).toBe('SIGTERM')
    expect(stored().sort(), `seed ${SEED}`).toEqual([...written].sort())
    // A silence or a rotation may divide an event, but none has lines of another.
    const mixed = service.events.filter((event) => !isRun(kind.stored(event), written))
    expect(mixed, `seed ${SEED}`).toEqual([])
    const firstLines = new Set(written.filter((line) => line.startsWith('event ')))
    const joined = service.events.filter(
      (event) => kind.stored(event).filter((line) => firstLines.has(line)).length > 1,
    )
    expect(joined, `seed ${SEED}`).toEqual([])
  },
  300_000 + KILLS * 10_000,
)

/** True when lines follow each other in all lines. */
function isRun(lines: readonly string[], all: readonly string[]): boolean {
  const from = all.indexOf(lines[0]!)
  return lines.every((line, i) => all[from + i] === line)
}

/** Writes lines, often in pieces, and sometimes renames the file, like log rotation, also within an event. */
class Writer {
  readonly lines: string[] = []
  private readonly file: string
  private readonly random: () => number
  private rest = ''
  private rotations = 0
  private events = 0
  private readonly kind: Kind
  private readonly canRotate: () => boolean

  constructor(
    file: string,
    { kind, random, canRotate }: { kind: Kind; random: () => number; canRotate: () => boolean },
  ) {
    this.file = file
    this.kind = kind
    this.canRotate = canRotate
    this.random = random
  }

  async writeUntil(over: Promise<unknown>): Promise<void> {
    let isOver = false
    void over.then(() => {
      isOver = true
    })
    while (!isOver) {
      this.write()
      if (this.random() < 0.02 && this.canRotate()) this.rotate()
      await sleep(this.random() * 20)
    }
  }

  finish(): void {
    const last = this.next(1)
    appendFileSync(this.file, this.rest + last)
    this.rest = ''
  }

  private write(): void {
    const count = 1 + Math.floor(this.random() * 20)
    const text = this.rest + this.next(count)
    const cut = this.random() < 0.5 ? text.length : Math.floor(this.random() * text.length)
    appendFileSync(this.file, text.slice(0, cut))
    this.rest = text.slice(cut)
  }

  /** Returns the lines of the next events. */
  private next(count: number): string {
    const lines = Array.from({ length: count }, () =>
      this.kind.event(this.events++, this.random),
    ).flat()
    this.lines.push(...lines)
    return lines.map((line) => `${line}\n`).join('')
  }

  private rotate(): void {
    this.rotations += 1
    // Increasing numbers keep their order even if two files have the same millisecond.
    const rotated = `${this.file}.${String(this.rotations).padStart(4, '0')}`
    renameSync(this.file, rotated)
    // The rest of the line that was begun, and sometimes of the event, is still written to the renamed file.
    const lineEnd = this.rest.indexOf('\n') + 1
    const more = this.random() < 0.5 ? this.rest.length : lineEnd
    appendFileSync(rotated, this.rest.slice(0, more))
    this.rest = this.rest.slice(more)
    appendFileSync(this.file, '')
  }
}
