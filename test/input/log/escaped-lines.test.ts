import { array, assert, asyncProperty, constantFrom, oneof, string } from 'fast-check'
import { expect, it } from 'vitest'
import { RUNS } from '../../support/runs.js'
import { eventsOf } from './sample-events.js'

/** Enough that the others do not make the log binary. */
const ORDINARY = Array.from({ length: 50 }, (_, number) => `ordinary line ${number}`)

/** Text with and without characters that JSON escapes. */
const MESSAGE = array(
  oneof(
    constantFrom('"', '\\', '\t', '\x01', '\x1f', '\x7f', 'é', '💥', 'plain', ' word'),
    string({ maxLength: 5 }).filter((text) => !/[\n\r\0]/.test(text)),
  ),
  { maxLength: 12 },
).map((parts) => `m${parts.join('')}.`)

it.each([
  ['log4j', '2026-11-20 10:00:00,123 INFO  [main] com.example.App - '],
  ['lines with a time', '2026-11-20T10:00:00.123Z INFO '],
  ['syslog', 'Nov 20 10:00:00 web-1 orders[17]: '],
  ['text', ''],
])('keeps messages of %s as they are, whatever must be escaped in them', async (_, head) => {
  const property = asyncProperty(array(MESSAGE, { minLength: 1, maxLength: 20 }), async (list) => {
    const messages = [...ORDINARY, ...list]
    const events = await eventsOf(Buffer.from(messages.map((text) => `${head}${text}\n`).join('')))
    expect(events.map(({ fields }) => fields.message)).toEqual(messages)
  })
  await assert(property, { numRuns: RUNS })
})
