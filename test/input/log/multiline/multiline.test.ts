import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { batches } from '../../../../src/input/batches.js'
import { BufferPool } from '../../../../src/input/buffer-pool.js'
import type { ByteSource } from '../../../../src/input/byte-source.js'
import { openFollowed } from '../../../../src/input/follow.js'
import { detectInput } from '../../../../src/input/input.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { until } from '../../../support/until.js'
import { bodies, counted, cut, inPieces, pipe, unsendable } from '../../support.js'
import { NOW, read } from '../support.js'

const JAVA = [
  '2026-02-03 04:05:06,007 ERROR [worker-1] com.example.App - Failed',
  'java.lang.IllegalStateException: boom',
  '\tat com.example.App.run(App.java:12)',
  'Caused by: java.io.IOException: closed',
  '\t... 2 more',
]
const NEXT = '2026-02-03 04:05:07,008 INFO [main] com.example.App - Done'

async function messages(text: string, options = {}): Promise<readonly string[]> {
  const { events } = await read(text, { format: 'text', ...options })
  return events.map((event) => (JSON.parse(event) as { message: string }).message)
}

describe('an event of several lines', () => {
  it('has the stack trace after its first line', async () => {
    const expected = [['Failed', ...JAVA.slice(1)].join('\n'), 'Done']
    expect(await messages([...JAVA, NEXT].join('\n'))).toEqual(expected)
    expect(await messages([...JAVA, NEXT, ''].join('\r\n'))).toEqual(expected)
  })

  it('is joined by indentation and by stack traces where lines have no time', async () => {
    const trace = 'started\nTraceback (most recent call last):\n  File "a.py", line 1\nKeyError: 1'
    expect(await messages(`${trace}\nKeyError: 2\n`)).toEqual([trace, 'KeyError: 2'])
  })

  it('is joined by the numbers of frames, but not of other lines', async () => {
    const frames = '#1 main () at a.c:3\n#2 foo (x=1) at a.c:4'
    expect(await messages(`${frames}\ndone\n`)).toEqual([frames, 'done'])
    const list = ['#1 fix the start (a)', '#2 fix the end (b)', '#3 release']
    expect(await messages(list.join('\n'))).toEqual(list)
  })

  it('has at most 1,000 lines', async () => {
    const lines = [
      '2026-02-03 04:05:06 first',
      ...Array.from({ length: 2_500 }, (_, n) => `line ${n}`),
    ]
    const found = await messages(`${lines.join('\n')}\n`, { multiline: /^2026/ })
    expect(found.map((message) => message.split('\n').length)).toEqual([1_000, 1_000, 501])
    expect(found.join('\n')).toBe(lines.join('\n'))
  })

  it('has at most 64 KiB unless a single line is longer', async () => {
    const long = 'x'.repeat(1024 * 1024)
    const found = await messages(`2026-02-03 04:05:06 ${long}\nnext\nlast\n${'y'.repeat(65_536)}\n`)
    expect(found).toEqual([long, 'next\nlast', 'y'.repeat(65_536)])
  })

  it('ends before a line that is too long to be sent', async () => {
    const text = `${JAVA.slice(0, 2).join('\n')}\n${'x'.repeat(200_000)}\n${NEXT}\n`
    for (const piece of [7, 1000, 1024 * 1024]) {
      const seen = await cut(inPieces(Buffer.from(text), piece), {
        format: 'text',
        batchBytes: 1000,
        maxEventBytes: 70_000,
      })
      const found = bodies(seen).flatMap((body) => body.trimEnd().split('\n'))
      expect(found.map((event) => JSON.parse(event).message)).toEqual([
        `Failed\n${JAVA[1]}`,
        'Done',
      ])
      expect(unsendable(seen).map(({ start }) => start)).toEqual([
        { line: 3, event: 1, offset: JAVA.slice(0, 2).join('\n').length + 1 },
      ])
    }
  })

  it('is not joined with `off`, and begins where an expression matches', async () => {
    expect((await messages('a\n b\nc\n', { multiline: 'off' })).length).toBe(3)
    expect(await messages('a 1\nb\na 2\nc\n', { multiline: /^a/ })).toEqual(['a 1\nb', 'a 2\nc'])
  })
})

describe('the last event of a pipe', () => {
  const options = { pool: new BufferPool(64 * 1024), maxEvents: 10_000, flushMs: 20 }

  async function open(signal?: AbortSignal, others = {}) {
    const { end, bytes } = pipe(signal)
    end.write(`${JAVA.join('\n')}\n`)
    const input = await detectInput({ name: 'pipe', bytes, isLive: true }, { now: () => NOW })
    return { end, items: batches(input, { ...options, ...others, ...(signal && { signal }) }) }
  }

  it('is complete when no more lines arrive for a second', async () => {
    const { end, items } = await open()
    const first = (await items.next()).value
    expect(first).toMatchObject({ kind: 'batch', events: 1, lines: 5 })
    end.end(`${NEXT}\n`)
    expect((await items.next()).value).toMatchObject({
      events: 1,
      lines: 1,
      start: { line: 6, event: 1 },
    })
  })

  it.each(['', '\tat half a'])(
    'is sent when the reader is interrupted, without %j',
    async (half) => {
      const stop = new AbortController()
      const { end, items } = await open(stop.signal)
      end.write(half)
      const first = items.next()
      await setImmediate()
      stop.abort()
      expect((await first).value).toMatchObject({ kind: 'batch', events: 1, lines: 5 })
      expect((await items.next()).value).toMatchObject({
        kind: 'end',
        isWhole: false,
        position: { line: 6, event: 1 },
      })
    },
  )

  it('is not sent when the reader is interrupted and resumes later', async () => {
    const stop = new AbortController()
    const { items } = await open(stop.signal, { isResumable: true })
    const first = items.next()
    await setImmediate()
    stop.abort()
    expect((await first).value).toMatchObject({ kind: 'end', position: { line: 1, event: 0 } })
  })
})

describe('an event that is written in two halves', () => {
  const [first, second] = [`${JAVA.slice(0, 2).join('\n')}\n`, `${JAVA.slice(2).join('\n')}\n`]

  afterEach(() => void vi.useRealTimers())

  /** Returns the messages of an input, with a clock that only `advance` moves. */
  async function scene(opened: { readonly bytes: ByteSource; readonly isLive: boolean }) {
    const bytes = counted(opened.bytes)
    const input = await detectInput({ ...opened, name: 'input', bytes }, { now: () => NOW })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const found: string[] = []
    const limits = { pool: new BufferPool(64 * 1024), maxEvents: 10_000, flushMs: 20 }
    const ended = (async () => {
      for await (const item of batches(input, limits)) {
        if (item.kind !== 'batch') continue
        for (const line of item.body.toString().trimEnd().split('\n'))
          found.push(JSON.parse(line).message)
      }
    })()
    return {
      found,
      ended,
      /** Waits until the input has been read up to an offset. */
      read: (offset: number) => until(() => bytes.count() === offset, `${offset} bytes are read`),
      /** Lets the time pass; the process notices that before bytes that have arrived meanwhile. */
      async advance(ms: number) {
        for (let passed = 0; passed < ms; passed += 100) {
          vi.advanceTimersByTime(100)
          for (let turn = 0; turn < 10; turn++) await setImmediate()
        }
      },
    }
  }

  function pipeScene() {
    const { end, bytes } = pipe()
    end.write(first)
    return { write: (text: string) => void end.write(text), finish: () => end.end(), bytes }
  }

  const directory = temporaryDirectory()
  let files = 0

  async function fileScene() {
    files += 1
    const path = join(directory, `${files}.log`)
    writeFileSync(path, first)
    const stop = new AbortController()
    const opened = await openFollowed(path, { signal: stop.signal })
    return {
      write: (text: string) => appendFileSync(path, text),
      finish: () => stop.abort(),
      rotate() {
        renameSync(path, `${path}.1`)
        appendFileSync(path, NEXT)
        return (text: string) => appendFileSync(`${path}.1`, text)
      },
      bytes: opened!.bytes,
    }
  }

  const SCENES = [
    ['a pipe', pipeScene, true],
    ['a followed file', fileScene, false],
  ] as const

  it.each(SCENES)('is one event when they are 300 ms apart, in %s', async (_, open, isLive) => {
    const { write, finish, bytes } = await open()
    const { found, read, advance, ended } = await scene({ bytes, isLive })
    await read(first.length)
    await advance(300)
    write(second)
    await read(first.length + second.length)
    await advance(900)
    expect(found).toEqual([])
    await advance(200)
    await until(() => found.length > 0, 'an event')
    finish()
    await ended
    expect(found).toEqual([`Failed\n${JAVA.slice(1).join('\n')}`])
  })

  it.each(SCENES)('is two events when they are 1.5 s apart, in %s', async (_, open, isLive) => {
    const { write, finish, bytes } = await open()
    const { found, read, advance, ended } = await scene({ bytes, isLive })
    await read(first.length)
    await advance(1500)
    await until(() => found.length > 0, 'an event')
    write(second)
    await read(first.length + second.length)
    await advance(1500)
    await until(() => found.length > 1, 'two events')
    finish()
    await ended
    expect(found).toEqual([`Failed\n${JAVA[1]}`, JAVA.slice(2).join('\n')])
  })

  it.each(SCENES)(
    'is one event when the process was suspended meanwhile, in %s',
    async (...args) => {
      const [, open, isLive] = args
      const { write, finish, bytes } = await open()
      const { found, read, advance, ended } = await scene({ bytes, isLive })
      await read(first.length)
      // Ends the first wait, for other events of the batch.
      await advance(100)
      write(second)
      vi.advanceTimersByTime(60_000)
      await read(first.length + second.length)
      await advance(1500)
      await until(() => found.length > 0, 'an event')
      finish()
      await ended
      expect(found).toEqual([`Failed\n${JAVA.slice(1).join('\n')}`])
    },
  )

  it.each(SCENES)('is complete only after a line end, in %s', async (_, open, isLive) => {
    const { write, finish, bytes } = await open()
    const { found, read, advance, ended } = await scene({ bytes, isLive })
    write(second.slice(0, 5))
    await read(first.length + 5)
    await advance(5000)
    expect(found).toEqual([])
    write(second.slice(5))
    await read(first.length + second.length)
    await advance(1500)
    await until(() => found.length > 0, 'an event')
    finish()
    await ended
    expect(found).toEqual([`Failed\n${JAVA.slice(1).join('\n')}`])
  })

  it('is one event when the file is rotated between them', async () => {
    const { rotate, bytes } = await fileScene()
    const { found, read, ended } = await scene({ bytes, isLive: false })
    await read(first.length)
    rotate()(second)
    // The clock stands still: only the rotation ends the event.
    await ended
    expect(found).toEqual([`Failed\n${JAVA.slice(1).join('\n')}`])
  })
})
