import { type FieldPath, fieldName } from '../../src/wire/json/field-path.js'

/** A pseudo-random integer below a bound. */
export type Random = (bound: number) => number

/** An event as text, and the values that its fields have in a result, as canonical JSON by the name of the field. */
export interface RandomEvent {
  readonly text: string
  readonly fields: ReadonlyMap<string, string>
}

/** A value as an event may write it, and as a result shows it; undefined for null. */
type Written = readonly [text: string, shown: string | undefined]

const STRINGS = [
  '',
  'x',
  '5',
  '00500',
  '1e3',
  'true',
  'null',
  '2026-01-01',
  '2026-01-01T00:00:00Z',
  'a/b\\c"d',
  'tab\tand\u0001 \u007f \u2028',
  'Ünïcödé 😀',
  '{"a":1}',
  '}{',
]

const string = (random: Random): Written => {
  const text = JSON.stringify(STRINGS[random(STRINGS.length)])
  return [text, text]
}
const int = (random: Random): Written => same(`${random(2_000_000) - 1_000_000}`)
const long = (random: Random): Written =>
  same(['9223372036854775807', '-9223372036854775808', '9007199254740993', '1'][random(4)]!)
const real = (random: Random): Written =>
  (
    [
      ['0.5', '0.5'],
      ['-1.25e2', '-125'],
      ['5.0', '5'],
      ['1e300', '1e300'],
      ['1.5e-7', '1.5e-7'],
    ] as const
  )[random(5)]!
/** Without fraction, it is not a number to the engine's parser. */
const beyond64Bits = (): Written => ['100000000000000000000.0', '100000000000000000000']
const unsigned = (): Written => same('18446744073709551615')
const bool = (random: Random): Written => same(random(2) === 0 ? 'true' : 'false')
const list = (random: Random): Written =>
  same(['[]', '[1,2]', '["a",null]', '[{"k":1}]', '[[1],{}]'][random(5)]!)

function same(text: string): Written {
  return [text, text]
}

type Values = (random: Random) => Written

/** The values of a field in one batch after the other; a batch picks from those up to its own position. */
const FIELDS: readonly { readonly path: FieldPath; readonly values: readonly Values[] }[] = [
  { path: ['id2'], values: [int] },
  { path: ['name'], values: [string] },
  { path: ['on'], values: [bool] },
  { path: ['ratio'], values: [real] },
  { path: ['power'], values: [real, real, beyond64Bits, beyond64Bits, string] },
  { path: ['widened'], values: [int, int, real, real, string] },
  { path: ['long'], values: [long, long, long, real] },
  { path: ['huge'], values: [int, int, int, unsigned] },
  { path: ['words'], values: [string, string, string, bool] },
  { path: ['flag'], values: [bool, bool, list] },
  { path: ['items'], values: [list] },
  { path: ['geo', 'city'], values: [string] },
  { path: ['geo', 'at', 'x'], values: [real, real, int, string] },
  { path: ['geo', 'at', 'y'], values: [int] },
  { path: ['dot', 'ted'], values: [int] },
  { path: ['a b'], values: [int, string] },
  { path: ['`'], values: [string] },
  { path: ["'"], values: [int] },
  { path: ['\\'], values: [int] },
  { path: ['"'], values: [string] },
  { path: ['null'], values: [int] },
  { path: ['line'], values: [string, int] },
  { path: ['é😀'], values: [real, bool] },
]

const NULL: Written = ['null', undefined]

/** Returns an event of a batch. Later batches have other types; the last ones also values in place of objects. */
export function randomEvent(random: Random, batch: number, lastBatch: number): RandomEvent {
  const members: Members = new Map()
  const fields = new Map<string, string>()
  const set = (path: FieldPath, [text, shown]: Written): void => {
    put(members, path, text)
    if (shown !== undefined) fields.set(fieldName(path), shown)
  }
  for (const { path, values } of FIELDS) {
    const choice = random(10)
    if (choice < 7) continue
    const value = values[Math.min(random(batch + 1), values.length - 1)]!
    set(path, choice === 7 ? NULL : value(random))
  }
  const isLate = batch > lastBatch / 2
  if (isLate && random(8) === 0) {
    // A value in place of an object: its members are missing.
    members.delete('geo')
    for (const name of ['geo.city', 'geo.at.x', 'geo.at.y']) fields.delete(name)
    set(['geo'], int(random))
  }
  if (isLate && random(8) === 0) {
    members.delete('dot')
    fields.delete('dot.ted')
    set(['dot.ted'], string(random))
  }
  if (random(20) === 0) set([`new${batch}`], int(random))
  return { text: objectText(members, random), fields }
}

interface Members extends Map<string, Members | string> {}

function put(members: Members, path: FieldPath, text: string): void {
  let at = members
  for (const key of path.slice(0, -1)) {
    const inner = at.get(key)
    const next: Members = inner instanceof Map ? inner : new Map()
    at.set(key, next)
    at = next
  }
  at.set(path.at(-1) ?? '', text)
}

/** Writes members in any order, sometimes with white space or a repeated key, whose later value does not count. */
function objectText(members: Members, random: Random): string {
  const written = [...members].map(([key, value]) => {
    const text = typeof value === 'string' ? value : objectText(value, random)
    return `${JSON.stringify(key)}:${random(5) === 0 ? ' ' : ''}${text}`
  })
  const start = random(written.length || 1)
  const turned = [...written.slice(start), ...written.slice(0, start)]
  const [first] = [...members].filter(([, value]) => typeof value === 'string' && value !== 'null')
  if (first !== undefined && random(15) === 0) turned.push(`${JSON.stringify(first[0])}:"again"`)
  return `{${turned.join(random(5) === 0 ? ' , ' : ',')}}`
}
