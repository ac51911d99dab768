import { expect, it } from 'vitest'
import { mappingRewriter, objectMapping } from '../../../src/input/mapping/detect-mapping.js'
import { objectsIn } from '../../../src/input/mapping/sample.js'
import { rewrittenText } from './rewritten-text.js'

const EVENT = '{"instant":{"epochSecond":1795168800,"nanoOfSecond":58781453},"level":"info"}'
const NOW = 1_795_168_900_000_000_000n

it("reads the seconds and the nanoseconds of log4j's `instant`", () => {
  const mapping = objectMapping(objectsIn([EVENT]), { now: NOW })
  expect(mapping.timestampField).toBe('instant')
  const rewrite = mappingRewriter(mapping, { times: {} })
  expect(JSON.parse(rewrittenText(EVENT, rewrite))._time).toBe('2026-11-20T10:00:00.058781453Z')
})

/** https://cloud.google.com/logging/docs/agent/logging/configuration#timestamp-processing */
it.each([
  ['an object', '{"timestamp":{"seconds":1795168800,"nanos":123000000}}', 'timestamp'],
  [
    'an object with the seconds as text',
    '{"timestamp":{"nanos":123000000, "seconds":"1795168800"}}',
    'timestamp',
  ],
  [
    'two fields',
    '{"timestampSeconds":1795168800,"timestampNanos":123000000}',
    'timestampSeconds,timestampNanos',
  ],
])('reads the seconds and the nanoseconds of %s of Google Cloud', (_, event, field) => {
  const mapping = objectMapping(objectsIn([event]), { now: NOW })
  expect(mapping.timestampField).toBe(field)
  const rewrite = mappingRewriter(mapping, { times: {} })
  expect(JSON.parse(rewrittenText(event, rewrite))._time).toBe('2026-11-20T10:00:00.123Z')
})

it.each([
  [
    'objects',
    '{"timestamp":{"seconds":1795168800,"nanos":5}}',
    '{"timestamp":{"seconds":1795168801}}',
  ],
  [
    'two fields',
    '{"timestampSeconds":1795168800,"timestampNanos":5}',
    '{"timestampSeconds":1795168801}',
  ],
])('reads %s of Protocol Buffers without the nanoseconds 0', (_, ...events) => {
  const mapping = objectMapping(objectsIn(events), { now: NOW })
  const rewrite = mappingRewriter(mapping, { times: {} })
  const times = events.map((event) => JSON.parse(rewrittenText(event, rewrite))._time)
  expect(times).toEqual(['2026-11-20T10:00:00.000000005Z', '2026-11-20T10:00:01Z'])
})

it('reads no duration as a time', () => {
  const events = [
    '{"time":{"seconds":12,"nanos":5}}',
    '{"elapsed":{"seconds":1795168800,"nanos":5}}',
  ]
  const mappings = events.map((event) => objectMapping(objectsIn([event]), { now: NOW }))
  expect(mappings.map(({ timestampField }) => timestampField)).toEqual([undefined, undefined])
})

it('reads no nanoseconds without seconds as a time', () => {
  const event = '{"timestampSeconds":1795168800,"timestampNanos":5}'
  const mapping = objectMapping(objectsIn([event]), { now: NOW })
  const rewrite = mappingRewriter(mapping, { times: {} })
  expect(JSON.parse(rewrittenText('{"timestampNanos":5}', rewrite))._time).toBeUndefined()
})
