import { expect, it } from 'vitest'
import { type MessageBatch, MessageQueue } from '../../../src/service/syslog/message-queue.js'
import type { SyslogMessages } from '../../../src/service/syslog/messages.js'
import { convertInSteps } from '../../../src/service/syslog/store-messages.js'
import { runToEnd } from '../../../src/wire/steps/steps.js'

const LIMITS = { batchBytes: 1e9, maxBatchBytes: 1e9, batchMs: 3_600_000, queueBytes: 1e9 }

/** Returns the batch in which a queue collects messages. */
async function batchOf(texts: readonly string[]): Promise<MessageBatch> {
  let stored: MessageBatch = { steps: [], arrivedAt: 7n }
  const store = async (batch: MessageBatch): Promise<void> => {
    stored = batch
  }
  const queue = new MessageQueue({ limits: LIMITS, now: () => 7n, store })
  for (const text of texts) queue.add(Buffer.from(text))
  await queue.close()
  return stored
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
  const batch = await batchOf([...short, ...long, ...huge])
  const conversion = convertInSteps(batch, (messages, now) => {
    expect(now).toBe(7n)
    const texts = textsIn(messages)
    steps.push(texts)
    return { lines: Buffer.from(texts.map((text) => `${text}\n`).join('')), unmatched: 1 }
  })
  const { lines, unmatched } = runToEnd(conversion)
  expect(lines.toString()).toBe([...short, ...long, ...huge].map((text) => `${text}\n`).join(''))
  expect(unmatched).toBe(steps.length)
  expect(Math.max(...steps.map(({ length }) => length))).toBe(1024)
  for (const texts of steps.filter(({ length }) => length > 1)) {
    expect(texts.join('').length).toBeLessThan(16 * 1024)
  }
  expect(steps.slice(-2)).toEqual(huge.map((text) => [text]))
})
