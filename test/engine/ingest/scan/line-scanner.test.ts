import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LineScan, LineScanner } from '../../../../src/engine/ingest/scan/line-scanner.js'
import { countLines } from '../../../../src/engine/ingest/scan/scan-lines.js'
import {
  PLAIN,
  type PlainLeaf,
  ScanSchema,
} from '../../../../src/engine/ingest/scan/scan-schema.js'
import { ENGINE_TIME } from '../../../../src/wire/event/event-time.js'
import { RUNS } from '../../../support/runs.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { factsOf } from './reference.js'

const leaf = (path: readonly string[], kinds: number): PlainLeaf => ({ path, kinds })

const LEAVES: readonly PlainLeaf[] = [
  leaf(['s'], PLAIN.string | PLAIN.null),
  leaf(['int'], PLAIN.int | PLAIN.long | PLAIN.null),
  leaf(['real'], PLAIN.int | PLAIN.real),
  leaf(['a bool'], PLAIN.bool | PLAIN.null),
  leaf(['nothing'], PLAIN.null),
  leaf(['any'], PLAIN.string | PLAIN.int | PLAIN.long | PLAIN.real | PLAIN.bool | PLAIN.null),
  leaf(['geo', 'city'], PLAIN.string),
  leaf(['geo', 'point', 'x'], PLAIN.real | PLAIN.int),
  leaf(['geo', 'point', 'longer than sixteen bytes'], PLAIN.string),
  leaf(['münchen'], PLAIN.string),
]
const SCHEMA = new ScanSchema(LEAVES)

const EVENT =
  '{"s":"a\\u00e9\\n ö","int":-12, "geo":{"city":"x","point":{"x":1.5e-7}},"a bool":true ,"any":null}'

/** Scans pieces one by one. */
function scan(pieces: readonly Buffer[], scanner = new LineScanner()): LineScan {
  scanner.begin(SCHEMA)
  for (const piece of pieces) {
    piece.copy(scanner.room)
    scanner.push(piece.length)
  }
  return scanner.end()
}

function expectSame(bytes: Buffer, { counts, isPlain }: LineScan): void {
  const { bytes: length, ...others } = counts
  expect({ ...others, isPlain }, JSON.stringify(bytes.toString('latin1'))).toEqual(
    factsOf(bytes, LEAVES),
  )
  expect(length).toBe(bytes.length)
}

const reused = new LineScanner()
const isPlain = (line: string): boolean => scan([Buffer.from(line)], reused).isPlain

describe('scanning lines', () => {
  it.each([
    EVENT,
    '{"s":"x"}',
    ' \t{ "s" : "x" } \r',
    '{"s":null,"int":null,"nothing":null}',
    '{"geo":{"point":{"longer than sixteen bytes":"and a value longer than sixteen bytes"}}}',
    '{"münchen":"a 𝄞 b \\ud834\\udd1e"}',
    '{"int":999999999999999}',
    '{"int":-8999999999999999999}',
    '{"any":1e99}',
    '{"any":0.00000000001234567890123456789}',
    '{"any":-0.5}',
  ])('finds that %s is plain', (line) => {
    expect(isPlain(line)).toBe(true)
    expectSame(Buffer.from(line), scan([Buffer.from(line)]))
  })

  it.each([
    ['a key that is not known', '{"t":"x"}'],
    ['a key that is not known in an object', '{"geo":{"s":"x"}}'],
    ['a known key in an object that has no such member', '{"geo":{"point":{"city":"x"}}}'],
    ['the beginning of a key', '{"in":1}'],
    ['a key with more characters', '{"intl":1}'],
    ['an escape in a key', '{"\\u0073":"x"}'],
    ['an empty key', '{"":"x"}'],
    ['a key that occurs twice', '{"s":"x","int":1,"s":"x"}'],
    ['an object that occurs twice', '{"geo":{"city":"x"},"geo":{"point":{"x":1}}}'],
    ['an empty object', '{}'],
    ['an empty object inside', '{"geo":{}}'],
    ['an object in place of a value', '{"s":{"x":1}}'],
    ['a value in place of an object', '{"geo":1}'],
    ['null in place of an object', '{"geo":null}'],
    ['an array', '{"any":[]}'],
    ['a line that is an array', '[]'],
    ['a string in place of a number', '{"int":"1"}'],
    ['a number in place of a string', '{"s":1}'],
    ['a fraction in place of an integer', '{"int":1.0}'],
    ['a long integer in place of a double', '{"real":1000000000000000}'],
    ['null where it is not expected', '{"real":null}'],
    ['a long integer beyond 64 bits', '{"int":9223372036854775808}'],
    ['an integer of 20 digits', '{"int":10000000000000000000}'],
    ['a negative zero', '{"int":-0}'],
    ['a large exponent', '{"real":1e100}'],
    ['31 digits', `{"real":1234567890.${'1'.repeat(21)}}`],
    ['40 digits', `{"real":0.${'1'.repeat(40)}}`],
    ['a number with a leading zero', '{"int":01}'],
    ['a number without a digit', '{"int":-}'],
    ['a number with a sign', '{"int":+1}'],
    ['a fraction without a digit', '{"real":1.}'],
    ['an exponent without a digit', '{"real":1e+}'],
    ['a word that goes on', '{"a bool":truely}'],
    ['a word cut off', '{"a bool":fals}'],
    ['a lone high surrogate', '{"s":"\\ud800"}'],
    ['two high surrogates', '{"s":"\\ud800\\ud800"}'],
    ['a lone low surrogate', '{"s":"\\udc00"}'],
    ['an unknown escape', '{"s":"\\x"}'],
    ['an escape with a wrong digit', '{"s":"\\u00g0"}'],
    ['a tab in a string', '{"s":"\t"}'],
    ['a trailing comma', '{"s":"x",}'],
    ['content after the event', '{"s":"x"}{"s":"x"}'],
    ['an event that is cut off', '{"s":"x"'],
    ['a string that is cut off', '{"s":"x'],
    ['a byte-order mark', '\ufeff{"s":"x"}'],
    ['a form feed', '{"s":"x"}\f'],
    ['a line of spaces', '  '],
  ])('finds that a line is not plain: %s', (_name, line) => {
    expect(isPlain('{"s":"x"}')).toBe(true)
    expect(isPlain(line)).toBe(false)
    expectSame(Buffer.from(line), scan([Buffer.from(line)]))
  })

  it.each([
    ['no lines', ''],
    ['an empty line', '\n'],
    ['only CR', '\r'],
    ['only spaces', '  \n\t\n'],
    ['events and empty lines', `${EVENT}\n\n\r\n${EVENT}\r\n${EVENT}`],
    ['lines that are not plain', `${EVENT}\nx\r\n \n\n\r${EVENT}\n`],
    ['CR at the end', 'x\r'],
    ['a byte-order mark alone', '\ufeff'],
    ['a byte-order mark before a blank line', '\ufeff \nx'],
    ['a byte-order mark in the second line', '\n\ufeff\n'],
  ])('counts %s however they are cut', (_name, text) => {
    const bytes = Buffer.from(text)
    expectSame(bytes, scan([bytes]))
    for (let cut = 0; cut <= bytes.length; cut++) {
      expectSame(bytes, scan([bytes.subarray(0, cut), bytes.subarray(cut)], reused))
    }
    expectSame(
      bytes,
      scan(
        [...bytes].map((byte) => Buffer.from([byte])),
        reused,
      ),
    )
  })

  it('counts two bytes of a byte-order mark as an event', () => {
    for (const bytes of [Buffer.from([0xef, 0xbb]), Buffer.from([0xef, 0xbb, 10, 0xef])]) {
      expectSame(bytes, scan([bytes]))
      expectSame(bytes, scan([...bytes].map((byte) => Buffer.from([byte]))))
    }
  })

  it('agrees with the reference for each byte in place of each byte, and in front of it', () => {
    const line = Buffer.from(`${EVENT.slice(0, -1)},"münchen":"","real":12.50,"int":null}\r\n`)
    const wrong: string[] = []
    for (let at = 0; at < line.length; at++) {
      for (let byte = 0; byte < 256; byte++) {
        for (const rest of [line.subarray(at), line.subarray(at + 1)]) {
          const bytes = Buffer.concat([line.subarray(0, at), Buffer.from([byte]), rest])
          const expected = factsOf(bytes, LEAVES)
          const { counts, isPlain } = scan([bytes], reused)
          const { lines, events } = counts
          const isSame =
            isPlain === expected.isPlain && lines === expected.lines && events === expected.events
          if (!isSame) wrong.push(bytes.toString('latin1'))
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('agrees with the reference for each sequence of two bytes that could begin a character', () => {
    const wrong: string[] = []
    for (let first = 0x80; first < 256; first++) {
      for (let second = 0; second < 256; second++) {
        for (const others of [[], [0x80], [0xbf, 0x80], [0x80, 0x7f]]) {
          const character = Buffer.from([first, second, ...others])
          const bytes = Buffer.concat([Buffer.from('{"s":"'), character, Buffer.from('"}')])
          const { isPlain } = scan([bytes], reused)
          if (isPlain !== factsOf(bytes, LEAVES).isPlain) wrong.push(character.toString('hex'))
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('agrees with the reference for changed events in pieces of any size', () => {
    const part = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('{', '}', '"', ':', ',', '\n', '\r\n', ' ', '\\') },
      {
        weight: 6,
        arbitrary: fc.constantFrom('"s":', '"int":', '"geo":{', '"any":', 'null', '-1'),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom('1.5', 'e5', '00', 'true', '"\\ud83d', '\\ude00"', 'é'),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    )
    const change = fc.record({ at: fc.nat(1000), cut: fc.nat(6), put: part })
    const lines = fc.array(
      fc.record({ line: event, changes: fc.array(change, { maxLength: 1 }) }),
      { minLength: 1, maxLength: 5 },
    )
    const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 10 })
    let plain = 0
    fc.assert(
      fc.property(lines, sizes, (drafts, sizes) => {
        const changed = drafts.map(({ line, changes }) =>
          changes.reduce((text, { at, cut, put }) => {
            const place = at % (text.length + 1)
            return text.slice(0, place) + put + text.slice(place + cut)
          }, line),
        )
        const bytes = Buffer.from(changed.join('\n'))
        const found = scan(pieces(bytes, sizes), reused)
        if (found.isPlain) plain++
        expectSame(bytes, found)
      }),
      { numRuns: 50 * RUNS },
    )
    expect(plain).toBeGreaterThan(40)
  })

  it('reads lines of up to 1 MiB that are cut, and only counts longer ones', () => {
    const line = (length: number): Buffer => Buffer.from(`{"s":"${'x'.repeat(length)}"}\n`)
    const sizes = [1 << 20, 700_000]
    const long = Buffer.concat([line(10), line((1 << 20) - 20), line(10)])
    expectSame(long, scan(pieces(long, sizes)))
    const longer = Buffer.concat([line(10), line(5 << 20), line(10)])
    const found = scan(pieces(longer, sizes))
    expect(found).toMatchObject({
      counts: expect.objectContaining({ lines: 3, events: 3, bytes: longer.length }),
      isPlain: false,
    })
  })

  it('counts the lines of a file as it counts the same bytes', async () => {
    const bytes = Buffer.from(`${EVENT}\n\n`.repeat(30_000))
    const path = join(temporaryDirectory(), 'events.ndjson')
    await writeFile(path, bytes)
    const counts = { bytes: bytes.length, lines: 60_000, events: 30_000 }
    expect(await countLines({ kind: 'file', path })).toMatchObject(counts)
    expect(await countLines({ kind: 'bytes', bytes })).toMatchObject(counts)
  })

  it('tells thousands of keys apart, also those that differ only in the object that holds them', () => {
    const wide = Array.from({ length: 2000 }, (_, i) => leaf([`f${i % 500}`, `k${i}`], PLAIN.int))
    const scanner = new LineScanner()
    scanner.begin(new ScanSchema(wide))
    const lines = wide.map(({ path: [outer, inner] }) => `{"${outer}":{"${inner}":1}}\n`).join('')
    scanner.push(scanner.room.write(lines))
    expect(scanner.end().isPlain).toBe(true)
    scanner.begin(new ScanSchema(wide))
    scanner.push(scanner.room.write('{"f1":{"k1":1}}\n{"f1":{"k2":1}}\n'))
    expect(scanner.end()).toMatchObject({ isPlain: false, counts: { lines: 2 } })
  })
})

describe('the times of plain events', () => {
  const kinds = PLAIN.string | PLAIN.int | PLAIN.real | PLAIN.null | PLAIN.time
  const schema = new ScanSchema([leaf(['t'], kinds), leaf(['s'], PLAIN.string)])
  const hasEngineTimes = (...lines: readonly string[]): boolean => {
    reused.begin(schema)
    reused.push(reused.room.write(lines.join('\n')))
    const { isPlain, hasEngineTimes } = reused.end()
    expect(isPlain).toBe(true)
    return hasEngineTimes
  }

  it('are strings that the engine reads by itself, or null', () => {
    const time = '{"t":"2026-11-20T10:00:00.123Z"}'
    expect(hasEngineTimes(time, '{"s":"x"}', '{"t":null}', '{"t":"2026-01-01 00:00:00"}')).toBe(
      true,
    )
    for (const other of ['1767225600', '1.5', '"x"', '""', '"2026-11-20"', '"1767225600"']) {
      expect(hasEngineTimes(time, `{"t":${other}}`, time), other).toBe(false)
    }
    expect(hasEngineTimes(time)).toBe(true)
  })

  it('agree with the pattern for the engine for each character in place of each, and in front of it', () => {
    const pattern = new RegExp(ENGINE_TIME)
    const characters = '0123456789+-:.TtZz x'
    const wrong: string[] = []
    const times = ['1901-01-01T00:00:00', '1999-12-31 23:59:59.5Z', '2299-01-01T19:00:00+23:59']
    for (const time of [...times, '2026-10-20T20:34:56.123456789-0130']) {
      expect(pattern.test(time)).toBe(true)
      for (let at = 0; at <= time.length; at++) {
        for (const put of ['', ...characters]) {
          for (const cut of [0, 1]) {
            const text = time.slice(0, at) + put + time.slice(at + cut)
            if (hasEngineTimes(`{"t":"${text}"}`) !== pattern.test(text)) wrong.push(text)
          }
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('the schema of a scan', () => {
  it('leaves out keys that need escapes, and paths of both values and objects', () => {
    const conflicting = [['v'], ['v', 'inner'], ['w', 'inner', 'x'], ['w']]
    const leaves = [['a"b'], ['a\\b'], ['a\nb'], [''], ['x', ''], ['ok'], ...conflicting]
    const scanner = new LineScanner()
    const isPlain = (line: string): boolean => {
      scanner.begin(new ScanSchema(leaves.map((path) => leaf(path, PLAIN.int))))
      scanner.push(scanner.room.write(line))
      return scanner.end().isPlain
    }
    expect(isPlain('{"ok":1}')).toBe(true)
    for (const path of leaves.filter(({ length }) => length === 1)) {
      if (path[0] !== 'ok') expect(isPlain(JSON.stringify({ [path[0] ?? '']: 1 }))).toBe(false)
    }
    expect(isPlain('{"a\\b":1}')).toBe(false)
    expect(isPlain('{"x":{"":1}}')).toBe(false)
    expect(isPlain('{"v":{"inner":1}}')).toBe(false)
    expect(isPlain('{"w":{"inner":{"x":1}}}')).toBe(false)
  })
})

/** Events of which most are plain. */
const event = fc
  .record(
    {
      s: fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })),
      int: fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constant(null)),
      real: fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e30, max: 1e30 }),
      'a bool': fc.boolean(),
      any: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
      geo: fc.record({ city: fc.string(), point: fc.record({ x: fc.integer() }) }),
      münchen: fc.string({ unit: 'binary' }),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value))

function pieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const cut: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = sizes[cut.length % sizes.length] ?? 1
    cut.push(bytes.subarray(at, at + size))
    at += size
  }
  return cut
}
