// The events of the benchmark, each block the events of one day. A block is generated once; its days and the numbers in its ids
// are replaced in place, which takes a fraction of the time in which its events are stored.
import { promisify } from 'node:util'
import { randomFrom, traceIdFrom } from '../../support/events.js'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 0, 1)
const BLOCK = 500_000
const WRITE = 256 * 1024
/** Every line begins like this: what is replaced is at the same place in all of them. */
const DAY_AT = '{"_time":"'.length
const ID_AT = '{"_time":"2026-01-01T00:00:00.000Z","trace_id":"'.length
const ID_DIGITS = 4

/** The start of the n-th day, from 0. */
export function startOfDay(n) {
  return new Date(START_MS + n * DAY_MS).toISOString()
}

/** The number of days that this many events take. */
export function daysOf(events) {
  return Math.ceil(events / BLOCK)
}

/** Writes blocks to a stream as fast as it takes them; returns the milliseconds of each. */
export async function writeEvents(stream, events) {
  const write = promisify(stream.write.bind(stream))
  const { bytes, starts } = block(Math.min(events, BLOCK))
  const times = []
  for (let first = 0; first < events; first += BLOCK) {
    setDay({ bytes, starts }, first / BLOCK)
    const began = performance.now()
    const end = starts[Math.min(BLOCK, events - first)] ?? bytes.length
    for (let at = 0; at < end; at += WRITE) {
      await write(bytes.subarray(at, Math.min(at + WRITE, end)))
    }
    times.push(performance.now() - began)
  }
  return times
}

function block(count) {
  const lines = Array.from({ length: count }, (_, i) => Buffer.from(`${eventLine(i)}\n`))
  const starts = new Uint32Array(count)
  for (let i = 1; i < count; i++) starts[i] = starts[i - 1] + lines[i - 1].length
  return { bytes: Buffer.concat(lines), starts }
}

function setDay({ bytes, starts }, n) {
  const day = Buffer.from(startOfDay(n).slice(0, 10))
  const number = Buffer.from(n.toString(16).padStart(ID_DIGITS, '0'))
  for (const start of starts) {
    bytes.set(day, start + DAY_AT)
    bytes.set(number, start + ID_AT)
  }
}

/** An event of a block: 2 % have an array, 3 % an error, 0.5 % a field of two types. */
function eventLine(index) {
  const random = randomFrom(index)
  return JSON.stringify({
    _time: new Date(START_MS + (index / BLOCK) * DAY_MS).toISOString(),
    trace_id: traceIdFrom(random),
    level: ['info', 'info', 'info', 'warn', 'error'][random(5)],
    service: ['api', 'auth', 'billing', 'cart', 'search', 'web'][random(6)],
    path: `/v1/items/${random(100_000)}`,
    status: [200, 200, 200, 404, 500][random(5)],
    took: random(200_000) / 100 + 0.005,
    message: `request ${index} handled by worker-${random(64)} in ${random(900)} ms`,
    ...(random(50) === 0 && { tags: ['a', `b${random(5)}`] }),
    ...(random(33) === 0 && {
      error: { kind: ['Timeout', 'Refused'][random(2)], stack: 'at f\n' },
    }),
    ...(random(200) === 0 && { code: random(2) === 0 ? random(100) : 'E7' }),
    ...(index > BLOCK / 2 && { region: `r${random(8)}` }),
  })
}
