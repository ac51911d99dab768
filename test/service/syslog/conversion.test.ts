import { expect, it } from 'vitest'
import type { SyslogMessages } from '../../../src/service/syslog/messages.js'
import { convertInTurns } from '../../../src/service/syslog/store-messages.js'

/** Messages one after the other, each followed by a line feed. */
function messagesOf(texts: readonly string[]): SyslogMessages {
  const extents: number[] = []
  let at = 0
  for (const text of texts) {
    extents.push(at, at + text.length)
    at += text.length + 1
  }
  return { bytes: Buffer.from(texts.map((text) => `${text}\n`).join('')), extents }
}

function textsIn({ bytes, extents }: SyslogMessages): string[] {
  return extents.flatMap((from, i) =>
    i % 2 === 0 ? [bytes.toString('latin1', from, extents[i + 1])] : [],
  )
}

it('converts a batch in steps of up to 1,024 messages and 16 KiB, unless a message is longer', async () => {
  const short = Array.from({ length: 10_000 }, (_, i) => `m${i}`)
  const long = Array.from({ length: 10 }, (_, i) => `${i}`.repeat(10_000))
  const huge = ['x'.repeat(60_000), 'y'.repeat(60_000)]
  const steps: string[][] = []
  const { lines, unmatched } = await convertInTurns(messagesOf([...short, ...long, ...huge]), {
    now: 7n,
    convert(messages, now) {
      expect(now).toBe(7n)
      const texts = textsIn(messages)
      steps.push(texts)
      return { lines: Buffer.from(texts.map((text) => `${text}\n`).join('')), unmatched: 1 }
    },
  })
  expect(lines.toString()).toBe([...short, ...long, ...huge].map((text) => `${text}\n`).join(''))
  expect(unmatched).toBe(steps.length)
  expect(Math.max(...steps.map(({ length }) => length))).toBe(1024)
  for (const texts of steps.filter(({ length }) => length > 1)) {
    expect(texts.join('').length).toBeLessThan(16 * 1024)
  }
  expect(steps.slice(-2)).toEqual(huge.map((text) => [text]))
})

it('converts an empty batch', async () => {
  const convert = () => {
    throw new Error('there is nothing to convert')
  }
  const events = await convertInTurns(messagesOf([]), { now: 0n, convert })
  expect(events).toEqual({ lines: Buffer.alloc(0), unmatched: 0 })
})
