import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { batches } from '../../../../src/input/batches.js'
import { BufferPool } from '../../../../src/input/buffer-pool.js'
import { detectInput } from '../../../../src/input/input.js'
import { pipe } from '../../support.js'
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

  it('is not joined with `off`, and begins where an expression matches', async () => {
    expect((await messages('a\n b\nc\n', { multiline: 'off' })).length).toBe(3)
    expect(await messages('a 1\nb\na 2\nc\n', { multiline: /^a/ })).toEqual(['a 1\nb', 'a 2\nc'])
  })
})

describe('the last event of a pipe', () => {
  const options = { pool: new BufferPool(64 * 1024), maxEvents: 10_000, flushMs: 20 }

  async function open(signal?: AbortSignal) {
    const { end, bytes } = pipe(signal)
    end.write(`${JAVA.join('\n')}\n`)
    const input = await detectInput({ name: 'pipe', bytes, isLive: true }, { now: () => NOW })
    return { end, items: batches(input, { ...options, ...(signal && { signal }) }) }
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

  it('is sent when the reader is interrupted', async () => {
    const stop = new AbortController()
    const { items } = await open(stop.signal)
    const first = items.next()
    await setImmediate()
    stop.abort()
    expect((await first).value).toMatchObject({ kind: 'batch', events: 1 })
    expect((await items.next()).value).toMatchObject({ kind: 'end', isWhole: false })
  })
})
