import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Dataset, type KnownPath } from '../../../src/engine/catalog/dataset.js'
import { fieldLeaves } from '../../../src/engine/catalog/field-limit.js'
import type { TypedColumn } from '../../../src/engine/catalog/typed-column.js'
import { fileColumns, unexpectedLeaves } from '../../../src/engine/ingest/event-fields.js'
import { type EventScan, scanEvents } from '../../../src/engine/ingest/event-scan.js'
import { ColumnFile } from '../../../src/engine/ingest/scan/column-file.js'
import { classifyLine } from '../../../src/wire/event/classify-line.js'
import type { EventOptions } from '../../../src/wire/event/event-options.js'
import { type FieldPath, pathKey, ROOT } from '../../../src/wire/json/field-path.js'
import { type Leaf, readLeaves } from '../../../src/wire/json/json-line.js'
import { KIND } from '../../../src/wire/json/kinds.js'
import { parseTimeFormat } from '../../../src/wire/time/time-format.js'
import { RUNS } from '../../support/runs.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { decodeNative, type NativeValue } from './scan/native.js'

const ARRIVED = 1_767_225_600_123_456_789n

const COLUMNS: readonly (TypedColumn & { readonly path: FieldPath; readonly kinds: number })[] = [
  { field: 'i', type: 'int', path: ['i'], kinds: KIND.int },
  { field: 'r', type: 'real', path: ['r'], kinds: KIND.real | KIND.int },
  { field: 'f', type: 'real', path: ['f'], kinds: KIND.real },
  { field: 's', type: 'string', path: ['s'], kinds: KIND.string },
  { field: 'b', type: 'bool', path: ['b'], kinds: KIND.bool },
  { field: 'g.x', type: 'int', path: ['g', 'x'], kinds: KIND.int },
  { field: 'g.h.y', type: 'string', path: ['g', 'h', 'y'], kinds: KIND.string },
  { field: 'q"', type: 'int', path: ['q"'], kinds: KIND.int },
  { field: 'p', type: 'string', path: ['p'], kinds: KIND.string },
  { field: 'l', type: 'array', path: ['l'], kinds: KIND.array },
]
const OTHERS: readonly KnownPath[] = [
  { path: ['any'], kinds: KIND.other },
  { path: ['g', 'list'], kinds: KIND.array },
  { path: ['map'], kinds: KIND.map },
]

function datasetWith(more: readonly KnownPath[] = []): Dataset {
  const known = [...COLUMNS.map(({ path, kinds }) => ({ path, kinds })), ...OTHERS, ...more]
  const columns = COLUMNS.map(({ path: _path, kinds: _kinds, ...column }) => column)
  return new Dataset('logs', {
    paths: new Map(known.map((one) => [pathKey(one.path), one])),
    columns: new Map(columns.map((column) => [column.field, column])),
  })
}

const DATASET = datasetWith()
const FULL = datasetWith([{ path: ROOT, kinds: KIND.map }])
const TERMS: EventOptions = { timestampField: '_time' }

interface Scanned extends EventScan {
  readonly blocks: ReadonlyMap<string, readonly NativeValue[]>
}

async function scan(
  lines: Buffer | string,
  { terms = TERMS, dataset = DATASET, isFile = false } = {},
): Promise<Scanned> {
  const directory = temporaryDirectory()
  const bytes = Buffer.from(lines)
  const path = join(directory, 'lines')
  if (isFile) await writeFile(path, bytes)
  const output = new ColumnFile(join(directory, 'columns'))
  const task = { terms, arrivedAt: ARRIVED, firstRow: 0 }
  const input = isFile ? ({ kind: 'file', path } as const) : ({ kind: 'bytes', bytes } as const)
  const found = await scanEvents({ ...task, lines: input }, dataset, output)
  await output.close()
  const blocks = found.rows === 0 ? new Map() : decodeNative(await readFile(output.path))
  return { ...found, blocks }
}

interface StoredEvent {
  readonly time: NativeValue
  readonly line: string
  /** The values of columns, by the key of their path. */
  readonly values: ReadonlyMap<string, NativeValue>
}

/** Returns the stored events by the number of their line. */
function eventsOf({ blocks, dataset }: Scanned): ReadonlyMap<number, StoredEvent> {
  const typed = fileColumns(dataset).list
  const rows = blocks.get('row') ?? []
  return new Map(
    rows.map((row, n) => {
      const values = typed.flatMap(({ path }, i) => {
        const value = blocks.get(`c${i}`)?.[n] ?? null
        return value === null ? [] : [[pathKey(path), value] as const]
      })
      const time = blocks.get('time')?.[n] ?? null
      const line = String(blocks.get('line')?.[n] ?? '')
      return [Number(row), { time, line, values: new Map(values) }]
    }),
  )
}

/** Returns the values of leaves, by the key of their path: of repeated keys the first, no nulls, no empty objects. */
function valuesOf(leaves: readonly Leaf[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const leaf of leaves) {
    const key = pathKey(leaf.path)
    const hasValue = leaf.form !== 'null' && leaf.form !== 'empty-object'
    const text = leaf.form === 'string' ? JSON.stringify(leaf.text) : leaf.text
    if (hasValue && !found.has(key)) found.set(key, text)
  }
  return found
}

/** Returns the values of a stored event as in its text. */
function storedValues({ line, values }: StoredEvent, expected: ReadonlyMap<string, string>) {
  const rest = line === '' ? new Map<string, string>() : valuesOf(readLeaves(line))
  const own = [...values].map(([key, value]) => {
    const text = expected.get(key) ?? ''
    // `-0` is the integer 0, a double has many texts, and an array is its text.
    const isSame =
      value === text ||
      (typeof value === 'number' && Object.is(Number(text), value)) ||
      (value === 0n && text === '-0')
    return [
      key,
      isSame ? text : typeof value === 'string' ? JSON.stringify(value) : String(value),
    ] as const
  })
  return new Map([...rest, ...own])
}

const string = fc.oneof(
  fc.string().map((value) => JSON.stringify(value)),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '""',
    '"\\u00e9\\ud834\\udd1e\\/"',
    '"2026-01-01T00:00:00Z"',
    '"}{"',
    '"\\ud800"',
  ),
)
const number = fc.oneof(
  fc.integer().map(String),
  fc.maxSafeInteger().map(String),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }).map(String),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => String(value).replace('e+', 'E')),
  fc.constantFrom(
    '-0',
    '-0.0',
    '0e0',
    '1e300',
    '1e400',
    '5.0',
    '0.30000000000000004',
    '18446744073709551616',
    '1.00000000000000000000001',
  ),
)
const scalar = fc.oneof(string, number, fc.constantFrom('true', 'false', 'null'))
const space = fc.constantFrom('', '', '', '', ' ', '\t')
const key = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'i',
      'r',
      'f',
      's',
      'b',
      'g',
      'h',
      'x',
      'y',
      'p',
      'l',
      'any',
      'list',
      'map',
      'new',
      'a.b',
      'né',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('q"', 'back\\slash', '\u0000', 'a\u0000', '') },
)
const { value, array } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, scalar, tie('object'), tie('array')),
  object: fc.array(fc.tuple(key, tie('value'), space), { maxLength: 5 }).map(objectText),
  array: fc.array(tie('value'), { maxLength: 3 }).map((all) => `[${all.join(',')}]`),
}))
const time = fc.constantFrom(
  ...[
    '"2026-01-01T00:00:00Z"',
    '"2026-02-30T00:00:00Z"',
    '"01/Jan/2026:00:00:00 +0000"',
    '1767225600',
  ],
  ...[
    '1767225600123.5',
    '1767225600.1234567891',
    '1.7672256e9',
    'null',
    'true',
    '-1',
    '99999999999',
  ],
)
/** Values that the columns hold make most events ones that the scanner reads itself. */
const usual = fc.oneof(
  fc.integer().map((n) => ['i', String(n)] as const),
  fc
    .double({ min: -1e9, max: 1e9, noNaN: true })
    .filter((n) => n % 1 !== 0)
    .map((n) => ['f', String(n)] as const),
  string.map((text) => ['s', text] as const),
  fc.boolean().map((bool) => ['b', String(bool)] as const),
  array.map((text) => ['l', text] as const),
  fc.integer().map((n) => ['g', `{"x":${n},"list":[1,{"z":null}],"h":{"y":"text"}}`] as const),
  time.map((text) => ['_time', text] as const),
)
const event = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: fc.tuple(key, value) }),
      space,
    ),
    { maxLength: 7 },
  )
  .map((members) => objectText(members.map(([[name, text], white]) => [name, text, white])))
const line = fc.oneof(
  { weight: 20, arbitrary: event },
  {
    weight: 1,
    arbitrary: fc.tuple(event, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '  ',
      '[]',
      'x',
      '{}',
      ' {"i":1} \r',
      '{"i":1}{"i":2}',
      '{"i":1,}',
    ),
  },
)

function objectText(members: readonly (readonly [string, string, string])[]): string {
  return `{${members.map(([name, text, white]) => `${white}${JSON.stringify(name)}${white}:${white}${text}${white}`).join(',')}}`
}

/** Compares a scan with what the exact reader finds in each line. */
function expectExact(lines: readonly string[], found: Scanned, terms: EventOptions = TERMS): void {
  const { dataset } = found
  const events = eventsOf(found)
  const rejected: { index: number; line: number; reason: string }[] = []
  const unexpected = new Map<string, number>()
  let index = 0
  let rows = 0
  for (const [row, text] of lines.entries()) {
    const read = classifyLine(text, terms)
    if (read.kind === 'blank') continue
    const reason =
      read.kind === 'rejected' ? read.reason : nulReason(fieldLeaves(dataset, read.leaves))
    if (read.kind === 'rejected' || reason !== undefined) {
      rejected.push({ index: index++, line: row + 1, reason: reason ?? '' })
      continue
    }
    index++
    rows++
    const event = events.get(row)
    expect(event?.time, text).toBe(read.time ?? ARRIVED)
    const isTime = (leaf: Leaf): boolean => pathKey(leaf.path) === '["_time"]'
    const isRead = terms.timestampField === '_time' && !dataset.knows(['_time'])
    const expected = valuesOf(read.leaves.filter((leaf) => !isRead || !isTime(leaf)))
    const stored = new Map(storedValues(event!, expected))
    // A line that the scanner leaves is kept as a whole when a column does not hold all of it.
    if (isRead) stored.delete('["_time"]')
    expect(Object.fromEntries(stored), text).toEqual(Object.fromEntries(expected))
    for (const leaf of unexpectedLeaves(dataset, read.leaves, terms)) {
      const place = pathKey(leaf.path)
      const isEmpty = leaf.form === 'empty-object'
      unexpected.set(place, (unexpected.get(place) ?? 0) | (isEmpty ? KIND.other : leaf.kinds))
    }
  }
  expect(found.rejected).toEqual(rejected)
  expect(found.rows).toBe(rows)
  expect(found.counts).toMatchObject({
    lines: lines.length - (lines.at(-1) === '' ? 1 : 0),
    events: index,
  })
  expect(newsOf(found)).toEqual(Object.fromEntries([...unexpected].map(withoutLong)))
}

function newsOf({ unexpected }: Scanned): Record<string, number> {
  const all = [...unexpected.paths].map(([place, { kinds }]) => [place, kinds] as const)
  const empty = [...unexpected.emptyObjects.keys()].map((place) => [place, KIND.other] as const)
  const merged = new Map<string, number>()
  for (const [place, kinds] of [...all, ...empty])
    merged.set(place, (merged.get(place) ?? 0) | kinds)
  return Object.fromEntries([...merged].map(withoutLong))
}

/** Removes the flag of integers of more than 15 digits, which the scan sets for a double only where it matters. */
function withoutLong([place, kinds]: readonly [string, number]): readonly [string, number] {
  return [place, kinds & ~KIND.long]
}

function nulReason(leaves: readonly Leaf[]): string | undefined {
  const name = leaves.flatMap(({ path }) => path).find((one) => one.endsWith('\0'))
  if (name === undefined) return undefined
  return `the field name \`${JSON.stringify(name).slice(1, -1)}\` ends with U+0000, which can't be stored; \`sed 's/\\\\u0000//g'\` removes it`
}

const batches = fc.array(line, { minLength: 1, maxLength: 60 })

describe('events of any shape', () => {
  it.each([
    ['a dataset', DATASET],
    ['a dataset with as many fields as it can have', FULL],
  ])(
    'have the values, the times and the faults that the exact reader finds: %s',
    async (_, dataset) => {
      const property = fc.asyncProperty(batches, fc.boolean(), async (lines, isFile) => {
        expectExact(lines, await scan(lines.join('\n'), { dataset, isFile }))
      })
      await fc.assert(property, { numRuns: Math.ceil(RUNS / 2) })
    },
  )

  it('have their time in any field and format', async () => {
    const terms = fc.constantFrom<EventOptions>(
      { timestampField: 's' },
      { timestampField: 'g.h.y' },
      { timestampField: 'nowhere' },
      { timestampField: 'i' },
      { timestampField: '_time', timeFormat: parseTimeFormat('unixms')! },
    )
    const property = fc.asyncProperty(batches, terms, async (lines, terms) => {
      expectExact(lines, await scan(lines.join('\n'), { terms }), terms)
    })
    await fc.assert(property, { numRuns: Math.ceil(RUNS / 4) })
  })
})
