import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputScan } from '../../../src/engine/input/input-scan.js'
import { inputSchema } from '../../../src/engine/input/input-schema.js'
import { classifyLine } from '../../../src/wire/event/classify-line.js'
import { fieldName } from '../../../src/wire/json/field-path.js'
import { needsLinux } from '../../support/needs.js'
import { RUNS } from '../../support/runs.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { until } from '../../support/until.js'
import { decodeNative, type NativeValue } from '../ingest/scan/native.js'

// A scan must accept exactly the lines that the reader of single lines accepts, with the same values.

const ARRIVED = 1_767_225_600_000_000_000n
const scratch = temporaryDirectory()

interface Options {
  readonly fields?: readonly string[] | undefined
  readonly timestampField?: string
  readonly segmentBytes?: number
}

const DEFAULTS = { fields: ['a'], timestampField: '_time' }

/** Returns the columns of events; undefined when they have to be stored. */
async function scanned(text: string | Buffer, options: Options = {}) {
  const directory = mkdtempSync(join(scratch, 'scan-'))
  const path = join(directory, 'events.ndjson')
  writeFileSync(path, text)
  const files = [{ path, start: 0 }]
  const places = { dataset: 'input', files, directory, arrivedAt: ARRIVED }
  const scan = InputScan.start({ ...DEFAULTS, ...options, ...places })
  const result = await scan?.finish()
  if (scan === undefined || result === undefined) return undefined
  const written = readdirSync(directory).filter((name) => name.endsWith('.columns'))
  const columns = new Map<string, NativeValue[]>()
  for (const name of written.sort(
    (one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10),
  )) {
    for (const [column, values] of decodeNative(readFileSync(join(directory, name)))) {
      columns.set(column, [...(columns.get(column) ?? []), ...values])
    }
  }
  return { ...result, columns, schema: scan.schema }
}

it('names the files that became shorter since it began', async () => {
  const directory = mkdtempSync(join(scratch, 'shrunk-'))
  const paths = ['same', 'shorter', 'removed'].map((name) => join(directory, `${name}.ndjson`))
  for (const path of paths) writeFileSync(path, '{"a":1}\n'.repeat(1_000))
  const files = paths.map((path) => ({ path, start: 0 }))
  const places = { dataset: 'input', files, directory, arrivedAt: ARRIVED }
  const scan = InputScan.start({ ...DEFAULTS, ...places })!
  expect(scan.shrunkFiles()).toEqual([])
  truncateSync(paths[1]!, 100)
  rmSync(paths[2]!)
  expect(await scan.finish()).toBeUndefined()
  expect(scan.shrunkFiles()).toEqual([paths[1]])
})

const schemaOf = (lines: readonly string[], options: Options = {}) =>
  inputSchema(lines, { ...DEFAULTS, dataset: 'input', ...options })

const accepts = (lines: readonly string[], options: Options = {}): boolean =>
  schemaOf(lines, options) !== undefined

describe('the first events', () => {
  it.each<[lines: readonly string[], options?: Options]>([
    [['{"a":1}', '', '{"a":null}', '{}', '{"b":[{"a":1}]}']],
    [['{"b":{"a":1},"a":"x"}', '{"b":5,"a":"y"}', '{"b":{},"a":"y"}']],
    [['{"a":{"b":1}}', '{"a":null}', '{"a":{}}', '{"a":{"c":[]}}'], { fields: ['a.b'] }],
    [['{"a.b":1}', '{"x.y":2}'], { fields: ['a.b'] }],
    [['{"ts":"2026-01-01T00:00:00Z","a":1}'], { timestampField: 'ts' }],
    [['{"t":{"at":"2026-01-01T00:00:00Z"},"a":1}'], { timestampField: 't.at' }],
    [['{"_time":"2026-01-31 10:00:00.5+02:00","a":1}'], { fields: ['a', '_time'] }],
    [['{"_time":7,"ts":null,"a":1}'], { timestampField: 'ts' }],
    [['{"a":1,"_time":1767225600}']],
    [['{"a":1,"ts":1767225600}'], { timestampField: 'ts' }],
    [['{"a":5,"x":1}'], { timestampField: 'a' }],
  ])('are scanned: %j', (lines, options) => {
    expect(accepts(lines, options)).toBe(true)
  })

  it.each<[lines: readonly string[], options?: Options]>([
    [['{"a":1}', '{"a":"x"}']],
    [['{"a":[1]}', '{"a":2}']],
    // Two spellings of a field.
    [['{"a":{"b":1}}', '{"a.b":1}'], { fields: ['a.b'] }],
    [['{"o":{"a":1,"b":[1]}}', '{"o":{"b":2}}'], { fields: ['o.a', 'o.b'] }],
  ])('are scanned with remainders, which have values of several types: %j', (lines, options) => {
    const schema = schemaOf(lines, options)
    expect(schema?.isPartial).toBe(true)
    expect(schema?.scan.leaves.some(({ rest }) => rest !== 0)).toBe(true)
  })

  it.each<[lines: readonly string[], options?: Options]>([
    // The query uses no field that the events have, or an object.
    [['{}']],
    [['{"a":{"b":1}}']],
    [['{"a":1}'], { fields: ['a', 'b'] }],
    // Fields that may be members of the one that is used.
    [['{"a":1,"a.b":1}']],
    [['{"a.b":{"c":1}}', '{"a":{"x":1}}'], { fields: ['a.b.c'] }],
    [['{"a":1}', '{"a":{"b":1}}']],
    [['{"a":[1]}', '{"a":{"b":"x"}}']],
    [['{"a":null,"b":"x"}', '{"a":{"c":1}}']],
    [['{"a":{"b":1},"x":1}', '{"a":5}'], { fields: ['a.b'] }],
  ])('are scanned with all their fields: %j', (lines, options) => {
    expect(schemaOf(lines, options)?.isPartial).toBe(false)
  })

  it.each<[lines: readonly string[], options?: Options]>([
    [[]],
    [['{"a":1}', 'text']],
    [['{"a":1}', '[1]']],
    [['{"a":1,"_time":"yesterday"}']],
  ])('have to be stored: %j', (lines, options) => {
    expect(accepts(lines, options)).toBe(false)
  })
})

/** More first events than are looked at. */
const FIRST = '{"a":1,"o":{"x":"y"},"_time":"2026-01-01T00:00:00Z"}\n'.repeat(1_000)

describe('later events', () => {
  it.each([
    ['{"a":2}'],
    ['{"new":{"a":"x","b":[1,{"c":null}]},"a":3}'],
    [' { "a" : null , "o" : 5 } \r'],
    ['{"n":18446744073709,"m":-1.5e-10,"a":1}'],
    ['{"o":{},"é":"é\\u00e9\\n"}'],
    ['{}'],
    [''],
    ['{"_time":null}'],
    ['{"_time":"2024-02-29T23:59:59Z"}'],
    ['{"_time":1767225600}'],
    ['{"_time":"Thu, 1 Jan 2026 00:00:00 GMT"}'],
    ['{"\\u0061":1,"\\u00e9\\"":2}'],
    ['   '],
  ])('are scanned: %s', async (line) => {
    const found = await scanned(`${FIRST}${line}\n{"a":9}`)
    expect(found?.columns.get('a:int')?.at(-1)).toBe(9n)
  })

  it.each([
    ['{"a":{"b":1}}'],
    ['{"a\\u0001":1}'],
    ['{"a.b":1}'],
    ['{"_time":"2025-02-29T00:00:00Z"}'],
    ['{"_time":"2025-04-31T00:00:00Z"}'],
    ['{"":1}'],
    ['{"x":{"":1}}'],
    ['{"x":"\\ud800"}'],
    ['{"x":01}'],
    ['{"x":1'],
    ['{"x":1}}'],
    ['{"x":tru}'],
    ['text'],
    ['[]'],
    [`{"${'k'.repeat(1_100)}":1}`],
    [`{${Array.from({ length: 10_001 }, (_, i) => `"k${i}":1`).join(',')}}`],
  ])('have to be stored: %.60s', async (line) => {
    expect(await scanned(`${FIRST}${line}\n`)).toBeUndefined()
  })

  it('may have numbers and fields that only some of the first events have', async () => {
    const lines = Array.from({ length: 1_000 }, (_, i) =>
      i < 500 ? '{"n":1,"s":"x"}' : i % 20 === 0 ? '{"n":1.5,"b":true}' : '{}',
    )
    const fields = ['n', 's', 'b']
    const found = await scanned(`${lines.join('\n')}\n{"n":2,"b":false}`, { fields })
    expect(found?.columns.get('n:real')?.slice(499, 501)).toEqual([1, 1.5])
    expect(found?.columns.get('b:bool')?.at(-1)).toBe(false)
  })

  it('are scanned with remainders where they have a field that is rare in the first ones', async () => {
    const lines = Array.from({ length: 1_000 }, (_, i) => (i < 19 ? '{"s":"x"}' : '{"t":1}'))
    const rare = await scanned(`${lines.join('\n')}\n{"s":"\\n"}`, { fields: ['s'] })
    expect(rare?.columns.get('line')?.filter((text) => text !== '')).toEqual([
      ...lines.slice(0, 19),
      '{"s":"\\n"}',
    ])
    const frequent = await scanned(['{"s":"x"}', ...lines].join('\n'), { fields: ['s'] })
    expect(frequent?.columns.get('line')?.every((text) => text === '')).toBe(true)
  })

  it('have to be stored when their columns would be much larger than they are', async () => {
    const names = Array.from({ length: 150 }, (_, i) => `field ${i}`)
    const first = JSON.stringify(Object.fromEntries(names.map((name, i) => [name, i])))
    const wide = `${first}\n`.repeat(1_000)
    const sparse = '{"field 0":1}\n'
    // Blocks do not have the columns in which they have no values.
    expect(await scanned(wide + sparse.repeat(20_000), { fields: names })).toBeDefined()
    const mixed = `${first}\n${sparse.repeat(100)}`
    expect(await scanned(wide + mixed.repeat(200), { fields: names })).toBeUndefined()
  })

  it('are scanned again when all fields are used and an object has a new member', async () => {
    const first = '{"a":1,"o":{"list":[1]}}\n'.repeat(1_000)
    const fieldsOf = async (line: string, fields?: readonly string[]) => {
      const found = await scanned(`${first}${line}\n`, { fields })
      return found?.schema.dataset.fields.map(({ name }) => name)
    }
    expect(await fieldsOf('{"o":{"list":[2]}}')).not.toContain('o.new')
    expect(await fieldsOf('{"o":{"new":5}}')).toContain('o.new')
    // The query does not use the new member.
    expect(await fieldsOf('{"o":{"new":5}}', ['a', 'o.list'])).not.toContain('o.new')
  })

  it('have to be stored when one is not UTF-8', async () => {
    const bytes = Buffer.from([...Buffer.from(`${FIRST}{"x":"`), 0xc3, 0x28, ...Buffer.from('"}')])
    expect(await scanned(bytes)).toBeUndefined()
  })

  it('have to be stored when they may spell a field that is used in another way', async () => {
    const first = '{"a":{"b":{"c":1}}}\n'.repeat(1_000)
    const fields = ['a.b.c']
    for (const line of [
      ...['{"a.b":1}', '{"a.b.c":1}', '{"a.b.c.d":1}', '{"a":{"b.c":1}}'],
      ...['{"a":{"b":{"c.d":1}}}', '{"a":{"b.c.d":1}}'],
    ]) {
      expect(await scanned(`${first}${line}\n`, { fields }), line).toBeUndefined()
    }
    // With a value in place of an object, all fields are scanned.
    for (const line of ['{"a":1}', '{"a":{"b":1}}']) {
      const found = await scanned(`${first}${line}\n`, { fields })
      expect(found?.columns.get('line')?.at(-1)).toBe(line)
    }
    for (const line of [
      '{"a":{"x":1,"b":{"y":[]}}}',
      '{"a.x":1,"ab":2,"b":{"c":3}}',
      '{"a":null}',
    ]) {
      const found = await scanned(`${first}${line}\n`, { fields })
      expect(found?.columns.get('line')?.at(-1), line).toBe('')
    }
  })
})

describe('values that the first events lack', () => {
  /** Scans events whose `a` is 1 and then has these values, in segments of about 100 events. */
  const withLater = (...values: readonly string[]) => {
    const lines = values.map((value) => `{"a":${value}}\n`)
    return scanned(FIRST + lines.join(''), { segmentBytes: 6_000 })
  }

  it('widen a column of integers to numbers', async () => {
    const found = await withLater('1.5', '7')
    expect(found?.columns.get('a:real')).toEqual([...Array(1_000).fill(1), 1.5, 7])
    expect(found?.columns.has('a:int')).toBe(false)
  })

  it.each(['"x"', 'true', '[1]'])('are in remainders beside a column: %s', async (value) => {
    const found = await withLater(value, '7')
    expect(found?.columns.get('line')).toEqual([...Array(1_000).fill(''), `{"a":${value}}`, ''])
    expect(found?.columns.get('a:int')?.slice(998)).toEqual([1n, 1n, null, 7n])
  })

  it('move all values to remainders when one is an object', async () => {
    const found = await withLater('{}', '7')
    const remainders = [...Array(1_000).fill('{"a":1}'), '{"a":{}}', '{"a":7}']
    expect(found?.columns.get('line')).toEqual(remainders)
    expect(found?.columns.has('a:int')).toBe(false)
  })

  it('are all expected by the third scan', async () => {
    const kinds = ['1.5', '"x"', 'true', '[1]'].flatMap((value) => Array(500).fill(value))
    const found = await withLater(...kinds)
    const remainders = kinds.map((one) => (one === '1.5' ? '' : `{"a":${one}}`))
    expect(found?.columns.get('line')?.slice(1_000)).toEqual(remainders)
    expect(found?.columns.get('a:real')?.slice(999, 1_501)).toEqual([
      1,
      ...Array(500).fill(1.5),
      null,
    ])
  })

  it('do not matter when a later line is no event', async () => {
    expect(await scanned(`${FIRST}{"a":1.5}\ntext\n`)).toBeUndefined()
    const far = `{"a":1}\n`.repeat(1_000)
    const text = `${FIRST}{"a":1.5}\n${far}text\n`
    expect(await scanned(text, { segmentBytes: 2_000 })).toBeUndefined()
  })

  it('are scanned again from the first group with one of them', async () => {
    const directory = mkdtempSync(join(scratch, 'scan-'))
    const path = join(directory, 'events.ndjson')
    const values = [...Array(2_000).fill('1'), ...Array(2_000).fill('"x"'), ...Array(9).fill('2')]
    writeFileSync(path, values.map((value) => `{"a":${value}}`).join('\n'))
    const scan = InputScan.start({
      ...DEFAULTS,
      ...{ dataset: 'input', files: [{ path, start: 0 }], directory, arrivedAt: ARRIVED },
      ...{ segmentBytes: 4_000, isInGroups: true },
    })!
    const found: string[] = []
    for await (const group of scan.groups()) {
      if (group.kind !== 'columns') throw new Error('lines have to be stored')
      for (let index = group.first; index <= group.last; index++) {
        const columns = decodeNative(readFileSync(join(directory, `${index}.columns`)))
        const remainders = columns.get('line') as readonly string[]
        const numbers = columns.get('a:int')
        found.push(
          ...remainders.map((text, i) =>
            text === '' ? String(numbers?.[i]) : text.slice('{"a":'.length, -1),
          ),
        )
      }
    }
    expect(found).toEqual(values)
  })
})

const value = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('1', '-7', '123456789012345678') },
  fc.constantFrom('null', '1.5', '"x"', 'true', '[1]', '{}', '{"b":2}', '-0', '1e400'),
)
const member = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'o', 'é', 'a.b', '\\u0061'), value),
  fc.tuple(fc.constant('x'), fc.json()),
  fc.tuple(fc.constant('a'), fc.constantFrom('5', 'null')),
  fc.tuple(fc.constant('_time'), fc.constantFrom('"2026-03-31T10:00:00.123456789Z"', 'null')),
)
const line = fc
  .array(member, { maxLength: 5 })
  .map((members) => `{${members.map(([key, json]) => `"${key}": ${json}`).join(' ,')}}`)
const damaged = fc
  .tuple(line, fc.nat(), fc.constantFrom('"', '\\', '{', '}', ',', '0', ' ', '\u0001', ''))
  .map(([text, at, insert]) => {
    const position = at % (text.length + 1)
    return text.slice(0, position) + insert + text.slice(position + (at % 2))
  })

/** Returns the text of the value of `a`, where `-0` is 0; null when the event has none. */
function textOf(event: ReturnType<typeof classifyLine>): string | null {
  const leaves = event.kind === 'event' ? event.leaves : []
  const leaf = leaves.find(({ path }) => fieldName(path) === 'a')
  if (leaf === undefined || leaf.form === 'null') return null
  return leaf.text === '-0' ? '0' : leaf.text
}

describe('any lines', () => {
  it('that are scanned are events, with the values that single lines have', async () => {
    let scans = 0
    const lines = fc.array(fc.oneof({ weight: 20, arbitrary: line }, damaged), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.constantFrom<readonly string[]>(['a'], ['a', '_time']),
        async (some, fields) => {
          const found = await scanned(`${FIRST}${some.join('\n')}`, { fields })
          if (found === undefined) return
          scans++
          const events = some.map((text) => classifyLine(text, { timestampField: '_time' }))
          expect(events.filter(({ kind }) => kind === 'rejected')).toEqual([])
          const expected = events.flatMap((event) =>
            event.kind === 'event' ? [{ a: textOf(event), time: event.time ?? ARRIVED }] : [],
          )
          const { columns } = found
          const numbers = columns.get('a:int') ?? columns.get('a:real')
          const values = columns
            .get('line')
            ?.slice(1_000)
            .map((remainder, i) => {
              const number = numbers?.[1_000 + i] ?? null
              if (remainder === '') return number === null ? null : String(number)
              return textOf(classifyLine(String(remainder), { timestampField: '_time' }))
            })
          expect(values).toEqual(expected.map(({ a }) => a))
          const times = found.columns.get('_time')
          if (fields.includes('_time')) {
            expect(times?.slice(1_000)).toEqual(expected.map(({ time }) => time))
          }
          expect(found.events).toBe(1_000 + expected.length)
        },
      ),
      { numRuns: 3 * RUNS },
    )
    expect(scans).toBeGreaterThan(10)
  })
})

describe('a scan', () => {
  const LINES = Array.from({ length: 3_000 }, (_, i) => {
    const time = new Date(Date.UTC(2026, 0, 1) - i * 1000).toISOString()
    return `{"a":${i},"x":"${'x'.repeat(i % 50)}","_time":"${time}"}${i % 9 === 0 ? '\n' : ''}`
  })
  const numbers = LINES.map((_, i) => BigInt(i))

  it.each([1, 100, 4_096, 1_000_000])(
    'has all events in order, in segments of %d bytes',
    async (segmentBytes) => {
      const fields = ['a', '_time']
      const found = await scanned(LINES.join('\n'), { fields, segmentBytes })
      expect(found?.columns.get('a:int')).toEqual(numbers)
      const sequence = found?.columns.get('_seq') as readonly bigint[]
      expect(sequence.every((one, i) => i === 0 || one > sequence[i - 1]!)).toBe(true)
      const last = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n
      expect(found?.extent).toEqual({ first: last - 2_999_000_000_000n, last })
      expect(found?.events).toBe(3_000)
    },
  )

  it('reads several files one after the other', async () => {
    const directory = mkdtempSync(join(scratch, 'scan-'))
    const files = ['one', 'two', 'three'].map((name, i) => {
      const path = join(directory, name)
      writeFileSync(path, `\ufeff${LINES.slice(i * 1_000, (i + 1) * 1_000).join('\n')}`)
      return { path, start: 3 }
    })
    const options = { dataset: 'input', files, directory, arrivedAt: ARRIVED, segmentBytes: 5_000 }
    const result = await InputScan.start({ ...DEFAULTS, ...options })?.finish()
    expect(result?.events).toBe(3_000)
    const rows = readdirSync(directory)
      .filter((name) => name.endsWith('.columns'))
      .flatMap((name) => {
        const columns = decodeNative(readFileSync(join(directory, name)))
        const values = columns.get('a:int') ?? []
        return (columns.get('_seq') ?? []).map(
          (seq, i) => [BigInt(seq as bigint), values[i]] as const,
        )
      })
      .sort(([one], [other]) => (one < other ? -1 : 1))
    expect(rows.map(([, a]) => a)).toEqual(numbers)
  })

  async function scannedFiles(texts: readonly string[]) {
    const directory = mkdtempSync(join(scratch, 'scan-'))
    const files = texts.map((text, i) => {
      const path = join(directory, `${i}.ndjson`)
      writeFileSync(path, text)
      return { path, start: 0 }
    })
    const options = { dataset: 'input', files, directory, arrivedAt: ARRIVED }
    const result = await InputScan.start({ ...DEFAULTS, ...options })?.finish()
    if (result === undefined) return undefined
    return decodeNative(readFileSync(join(directory, '0.columns'))).get('a:int')
  }

  it('scans files together that are shorter than the names of their columns', async () => {
    const texts = numbers.map((i) => `{"a":${i}}${i % 2n === 0n ? '\n' : ''}`)
    expect(await scannedFiles(texts)).toEqual(numbers)
  })

  it.each([
    ['one byte less than', (lines: string) => lines.slice(0, -1)],
    ['as many bytes as', (lines: string) => lines],
    ['one byte more than', (lines: string) => `${lines}\n`],
  ])('separates a file with %s the scanner takes at once from the next file', async (_, fileOf) => {
    // 64 bytes each, together a mebibyte.
    const lines = `{"a":1,"x":"${'x'.repeat(49)}"}\n`.repeat(2 ** 14)
    expect(lines).toHaveLength(2 ** 20)
    const found = await scannedFiles([fileOf(lines), '{"a":2}', '{"a":3}'])
    expect(found?.slice(2 ** 14 - 1)).toEqual([1n, 2n, 3n])
  })

  it('has the events of many small files in few groups', async () => {
    const directory = mkdtempSync(join(scratch, 'scan-'))
    const files = Array.from({ length: 40 }, (_, i) => {
      const path = join(directory, `${i}.ndjson`)
      writeFileSync(path, '{"a":1}\n'.repeat(5))
      return { path, start: 0 }
    })
    const options = { dataset: 'input', files, directory, arrivedAt: ARRIVED, isInGroups: true }
    const columns = () => readdirSync(directory).filter((name) => name.endsWith('.columns'))
    let groups = 0
    let events = 0
    for await (const group of InputScan.start({ ...DEFAULTS, ...options })!.groups()) {
      if (group.kind === 'columns') events += group.events
      if (groups++ === 0) await until(() => columns().length === 40, '40 files of columns')
    }
    expect(groups).toBeLessThanOrEqual(2)
    expect(events).toBe(200)
  })

  it('leaves no files when the events have to be stored', async () => {
    const directory = mkdtempSync(join(scratch, 'scan-'))
    const path = join(directory, 'events.ndjson')
    writeFileSync(path, `${LINES.join('\n')}\ntext\n`)
    const files = [{ path, start: 0 }]
    const options = { dataset: 'input', files, directory, arrivedAt: ARRIVED, segmentBytes: 5_000 }
    expect(await InputScan.start({ ...DEFAULTS, ...options })?.finish()).toBeUndefined()
    expect(readdirSync(directory)).toEqual(['events.ndjson'])
  })

  it('has no events after its end', async () => {
    const directory = mkdtempSync(join(scratch, 'scan-'))
    const path = join(directory, 'events.ndjson')
    writeFileSync(path, LINES.join('\n'))
    const files = [{ path, start: 0 }]
    const options = { dataset: 'input', files, directory, arrivedAt: ARRIVED, segmentBytes: 5_000 }
    const scan = InputScan.start({ ...DEFAULTS, ...options })
    await scan?.close()
    expect(await scan?.finish()).toBeUndefined()
  })

  it('throws for a file that is not there', () => {
    const files = [{ path: join(scratch, 'absent'), start: 0 }]
    const options = { dataset: 'input', files, directory: scratch, arrivedAt: ARRIVED }
    expect(() => InputScan.start({ ...DEFAULTS, ...options })).toThrow('ENOENT')
  })
})

it('names the file that a full disk can not take', needsLinux, async () => {
  const directory = mkdtempSync(join(scratch, 'scan-'))
  const lines = ['{"a":1}']
  const scan = InputScan.open({
    ...DEFAULTS,
    dataset: 'input',
    directory,
    arrivedAt: ARRIVED,
    lines,
  })
  const path = join(directory, '0.ndjson')
  symlinkSync('/dev/full', path)
  await expect(scan?.add(Buffer.from(lines.join('')), ARRIVED)).rejects.toMatchObject({
    code: 'ENOSPC',
    path,
  })
})
