import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { expect, it } from 'vitest'
import { containing } from '../../../../src/input/log/multiline/event-start.js'
import { MultilineScanner } from '../../../../src/input/log/multiline/multiline-scanner.js'
import { RUNS } from '../../../support/runs.js'

const START = containing(/^S/)

/** Returns the events of whole text, line by line. */
function expectedEvents(text: string): readonly string[] {
  const events: string[][] = []
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const isBlank = line.trim() === ''
    if (!isBlank && (events.length === 0 || line.startsWith('S'))) events.push([line])
    else events.at(-1)?.push(line)
  }
  return events.map(([first = '', ...rest]) => {
    const whole = [first, ...rest].join('').replace(/[\r\n]+$/, '')
    const start = first.replace(/\r?\n?$/, '')
    return whole.length < start.length ? start : whole
  })
}

/** Returns the events that a scanner finds in bytes that arrive in chunks. */
function scannedEvents(text: string, { chunk, maxEvents }: { chunk: number; maxEvents: number }) {
  const bytes = Buffer.from(text, 'latin1')
  const scanner = new MultilineScanner(START)
  const extents: number[] = []
  let events = 0
  for (let at = 0; at < bytes.length; ) {
    const found = scanner.scan(bytes, {
      from: at,
      to: Math.min(at + chunk, bytes.length),
      maxEvents,
    })
    expect(found.events).toBeLessThanOrEqual(maxEvents)
    extents.push(...found.extents!)
    events += found.events
    at = found.next
  }
  const last = scanner.finish()
  extents.push(...(last.extents ?? []).map((at) => bytes.length + at))
  expect(extents).toHaveLength((events + last.events) * 2)
  return extents.flatMap((from, index) =>
    index % 2 === 0 ? [bytes.toString('latin1', from, extents[index + 1])] : [],
  )
}

const PART = constantFrom('S', 'S1', ' at x', '\n', '\n', '\n', '\r\n', '\r\r\n', '\r', '  ', 'x')

it('finds the same events in chunks of any size as line by line', () => {
  const cuts = record({
    chunk: integer({ min: 1, max: 12 }),
    maxEvents: integer({ min: 1, max: 3 }),
  })
  const same = property(array(PART, { maxLength: 40 }), cuts, (parts, options) => {
    const text = parts.join('')
    expect(scannedEvents(text, options)).toEqual(expectedEvents(text))
  })
  assert(same, { numRuns: 60 * RUNS })
})

it('ends the current event when the input is silent', () => {
  const scanner = new MultilineScanner(START)
  const bytes = Buffer.from('S1\n at x\r\n\r\nS2')
  const { end, extents, next } = scanner.scan(bytes.subarray(0, -2), {
    from: 0,
    to: bytes.length - 2,
    maxEvents: 9,
  })
  expect({ end, extents, next }).toEqual({ end: -1, extents: [], next: 12 })
  expect(scanner.settle({ isLast: false })).toMatchObject({ events: 1, extents: [-12, -4] })
  scanner.scan(bytes, { from: 12, to: 14, maxEvents: 9 })
  expect(scanner.finish()).toMatchObject({ events: 1, extents: [-2, 0] })
})
