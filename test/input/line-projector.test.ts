import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineProjector, type Projection } from '../../src/input/projection/line-projector.js'
import '../support/runs.js'

function projected(text: string | Buffer, projection: Projection): string {
  const projector = LineProjector.of(projection)
  if (projector === undefined) throw new Error('no projector')
  return projector.project(Buffer.from(text)).toString('utf8')
}

const A: Projection = { keys: ['a', 'b'] }

describe('a line of NDJSON', () => {
  it.each([
    ['{"a":1,"x":2,"b":"s"}', '{"a":1,"b":"s"}'],
    [' { "x" : [1, {"y": "}"}] , "b" : {"c": [ ]} } \r', '{"b" : {"c": [ ]}}'],
    ['{"x":null,"y":true,"z":false,"n":-1.5e+10}', '{}'],
    ['{}', '{}'],
    ['', ''],
    ['{"ab":1,"a":"\\u00e4ä\\n"}', '{"a":"\\u00e4ä\\n"}'],
    ['{"x":{"a":1,"b":{}},"a":[]}', '{"a":[]}'],
  ])('is reduced to the members: %s', (line, reduced) => {
    expect(projected(`${line}\n`, A)).toBe(`${reduced}\n`)
    expect(projected(line, A)).toBe(reduced)
  })

  it.each([
    ['{"a":1,"x":}'],
    ['{"a":1,"x":01}'],
    ['{"a":1,"x":NaN}'],
    ['{"a":1,"x":nul}'],
    ['{"a":1,"x":[1,]}'],
    ['{"a":1,"x":[1}'],
    ['{"a":1,"x":{"y":1]}'],
    ['{"a":1,"x":{"y"}}'],
    ['{"a":1,"x":{"":1}}'],
    ['{"a":1,"":1}'],
    ['{"a":1,"x":"\\x"}'],
    ['{"a":1,"x":"\t"}'],
    ['{"a":1,"x":"\\ud800"}'],
    ['{"a":1,"x":123456789012345678901234567890}'],
    ['{"a":1,"x":1} y'],
    ['{"a":1,"x":1'],
    ['{"a":1,}'],
    ['["a"]'],
    ['text'],
    ['\ufeff{"a":1,"x":1}'],
    // The key is `a`.
    ['{"\\u0061":1,"x":2}'],
    ['{"a":1,"x":1,"a":2}'],
    [`{"a":1,"${'k'.repeat(2_000)}":1}`],
    [`{"a":1,"x":${'['.repeat(100)}${']'.repeat(100)}}`],
    [`{"a":1,${Array.from({ length: 10_001 }, (_, i) => `"k${i}":1`).join(',')}}`],
  ])('stays as it is when it may be no valid event: %.60s', (line) => {
    expect(projected(`{"x":1}\n${line}\n{"b":2,"x":1}`, A)).toBe(`{}\n${line}\n{"b":2}`)
  })

  it('that is not UTF-8 stays as it is', () => {
    const line = Buffer.from([...Buffer.from('{"a":1,"x":"'), 0xc3, 0x28, ...Buffer.from('"}\n')])
    expect(LineProjector.of(A)?.project(Buffer.from(line))).toEqual(line)
  })

  it('loses a time only when it is one for certain', () => {
    const reduced = (time: string) =>
      projected(`{"_time":${time},"a":1}`, { keys: ['a'], droppedTime: '_time' })
    for (const time of ['"2026-02-28T10:00:00Z"', '"1999-12-01 23:59:59.123+02:00"', 'null']) {
      expect(reduced(time)).toBe('{"a":1}')
    }
    for (const time of [
      ...['"2026-02-30T10:00:00Z"', '"2026-13-01T10:00:00Z"', '"2263-01-01T00:00:00Z"'],
      ...['"yesterday"', '1700000000', 'true', '{"x":1}'],
    ]) {
      expect(reduced(time)).toBe(`{"_time":${time},"a":1}`)
    }
  })

  it('keeps keys that begin with a prefix', () => {
    const text = '{"a.b":1,"ab":2,"a":{"c":3},"x":4}'
    expect(projected(text, { keys: ['a'], prefixes: ['a.'] })).toBe('{"a.b":1,"a":{"c":3}}')
  })

  it('of any length is read, in pieces of any number of lines', () => {
    const long = `{"x":"${'x'.repeat(3_000_000)}","a":1}`
    const lines = Array.from({ length: 40_000 }, (_, i) => `{"x":"${'y'.repeat(90)}","a":${i}}\n`)
    const found = projected(`${lines.join('')}${long}\n${lines.join('')}`, A)
    const reduced = lines.map((_, i) => `{"a":${i}}\n`).join('')
    expect(found === `${reduced}${long}\n${reduced}`).toBe(true)
  })
})

describe('any JSON', () => {
  it('has the same values in the members that are kept', () => {
    const value = fc.jsonValue()
    const event = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd.e', 'é'), value)
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const text = events.map((one) => `${JSON.stringify(one)}\n`).join('')
        const found = projected(text, A)
          .trimEnd()
          .split('\n')
          .filter((line) => line !== '')
        const kept = found.map((line) => {
          const { a, b } = JSON.parse(line)
          return JSON.stringify({ a, b })
        })
        expect(kept).toEqual(events.map(({ a, b }) => JSON.stringify({ a, b })))
      }),
    )
  })
})

describe('a projector', () => {
  it('is not made for keys that JSON writes with escapes, nor for many', () => {
    expect(LineProjector.of({ keys: ['a"'] })).toBeUndefined()
    expect(
      LineProjector.of({ keys: Array.from({ length: 40 }, (_, i) => `k${i}`) }),
    ).toBeUndefined()
  })
})
