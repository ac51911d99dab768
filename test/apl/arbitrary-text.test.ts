import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/apl/analyze.js'
import { formatQuery } from '../../src/apl/syntax/format.js'
import { parse, wholeQuery } from '../../src/apl/syntax/parser.js'
import { RUNS } from '../support/runs.js'
import { analyzed, problems } from './support.js'

const QUERIES = [
  "['logs'] | where status >= 500 and not (method == 'GET' or uri matches regex @'^/a\\d') | count",
  '["logs"] | extend a = -status * 2 + 1, [\'b c\'] = tags[0].x["y z"] | project-away geo.*, message',
  "logs | summarize n = count(), avg(duration), percentile(duration, 95) by bin(_time, 1.5h), ['geo.city']",
  'logs | where _time between (datetime(2026-01-01) .. ago(-1d)) | top 5 by duration asc nulls last',
  'logs | where status !in (200, "204", int(null)) and message has_any ("a", "b") | distinct service, *',
  'logs | sort by status asc, _time nulls first | take 10 // the rest is of no interest',
  'logs | extend d = dynamic({\'a\': [1, 2.5, null]}), t = timespan(2d), s = "\\u00e4\\n" | limit 3;',
]

const PIECES = [
  ...[
    '|',
    '(',
    ')',
    '[',
    ']',
    ',',
    '.',
    '..',
    '=',
    '==',
    '!',
    '!in',
    'in',
    'between',
    '"',
    "'",
    '\\',
  ],
  ...[
    'where',
    'summarize',
    'by',
    'count()',
    'not',
    'and',
    '-',
    '5',
    '1e999',
    '10m',
    '*',
    ' ',
    '\n',
    '//',
  ],
  ...[
    'dynamic(',
    'datetime(',
    'status',
    'geo',
    'tags',
    "['",
    "']",
    '@"',
    '\u{1f600}',
    '\ud800',
    '\0',
    ';',
  ],
]

/** A query with pieces inserted, replaced or removed. */
const mutated = fc
  .tuple(
    fc.constantFrom(...QUERIES),
    fc.array(fc.tuple(fc.nat(200), fc.nat(8), fc.constantFrom('', ...PIECES)), { maxLength: 5 }),
  )
  .map(([query, edits]) =>
    edits.reduce(
      (text, [at, cut, piece]) => text.slice(0, at) + piece + text.slice(at + cut),
      query,
    ),
  )

const scrambled = fc
  .array(fc.constantFrom(...PIECES, 'logs', '|'), { maxLength: 40 })
  .map((pieces) => pieces.join(' '))

function expectAnswer(text: string): void {
  const result = analyzed(text)
  if ('query' in result) return
  expect(result.problems.length).toBeGreaterThan(0)
  expect(result.problems.length).toBeLessThanOrEqual(10)
  for (const { span, message } of result.problems) {
    expect(span.start).toBeGreaterThanOrEqual(0)
    expect(span.end).toBeGreaterThanOrEqual(span.start)
    expect(span.end).toBeLessThanOrEqual(text.length)
    expect(message).toMatch(/[.]$/)
  }
  const starts = result.problems.map(({ span }) => span.start)
  expect(starts).toEqual([...starts].sort((a, b) => a - b))
}

function expectRoundTrip(text: string): void {
  const query = wholeQuery(parse(text))
  if (query === undefined) return
  const once = formatQuery(query)
  const again = wholeQuery(parse(once))
  expect(again && formatQuery(again)).toBe(once)
  expect(withoutSpans(again)).toEqual(withoutSpans(query))
}

/** A tree without positions, and with `a.b` as the equivalent `a['b']`. */
function withoutSpans(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(withoutSpans)
  if (typeof tree !== 'object' || tree === null) return tree
  const entries = Object.entries(tree).filter(([key]) => !/^(?:span|operatorSpan)$/.test(key))
  const node = Object.fromEntries(entries.map(([key, value]) => [key, withoutSpans(value)]))
  if (node.kind !== 'member') return node
  const { name } = node.member as { name: string }
  return {
    kind: 'index',
    value: node.value,
    index: { kind: 'literal', type: 'string', value: name },
  }
}

describe('analyze with arbitrary text', () => {
  it('returns a query, or problems with spans inside the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), expectAnswer))
    fc.assert(fc.property(scrambled, expectAnswer), { numRuns: 20 * RUNS })
  })

  it('returns a query or problems for a corrupted query', () => {
    for (const query of QUERIES) expectAnswer(query)
    fc.assert(fc.property(mutated, expectAnswer), { numRuns: 40 * RUNS })
  })

  it('formats a query so that it parses to the same tree', () => {
    for (const query of QUERIES) {
      expect(wholeQuery(parse(query))).toBeDefined()
      expectRoundTrip(query)
    }
    fc.assert(fc.property(mutated, expectRoundTrip), { numRuns: 40 * RUNS })
  })
})

describe('analyze with long queries', () => {
  it.each([
    ['parentheses', `logs | where ${'('.repeat(100_000)}ok`],
    ['signs', `logs | where ${'-'.repeat(100_000)}status > 1`],
    ['negations', `logs | where ${'not '.repeat(100_000)}ok`],
    ['calls', `logs | where ${'abs('.repeat(20_000)}1`],
    ['indexes', `logs | where ${'tags['.repeat(20_000)}0`],
    ['parts', `logs | where tags${'.a'.repeat(20_000)} == 1`],
    ['a chain of or', `logs | where ${Array(100_000).fill('ok').join(' or ')}`],
    ['nested arrays', `logs | where tags == dynamic(${'['.repeat(100_000)})`],
  ])('refuses %s without end', (_, text) => {
    const result = analyzed(text)
    expect('problems' in result && result.problems.map(({ code }) => code)).toHaveLength(1)
  })

  it('accepts a pipeline of 490 steps, and rejects one of 5,000', () => {
    const steps = ' | where ok | extend n = status + 1'
    const result = analyzed(`logs${steps.repeat(245)}`)
    expect('query' in result && result.query.operators.length).toBe(490)
    const codes = (text: string) => problems(text).map(({ code }) => code)
    expect(codes(`logs${steps.repeat(2500)}`)).toEqual(['query-too-long'])
    expect(codes(`logs${' | union logs'.repeat(5000)}`)).toEqual(['query-too-long'])
    const union = (many: number) => `union ${Array(many).fill('logs').join(', ')} | count`
    // The union itself is one of them.
    expect(codes(union(999))).toEqual([])
    expect(codes(union(1_000))).toEqual(['too-many-sources'])
    expect(codes(`${'let a = 5; '.repeat(5000)} print a`)).toEqual(['query-too-long'])
  })

  it('rejects names whose expansion grows exponentially', () => {
    const codes = (text: string) => problems(text).map(({ code }) => code)
    const lets = (many: number) =>
      Array.from({ length: many }, (_, i) => `let a${i + 1} = a${i} + a${i}; `).join('')
    expect(codes(`let a0 = 1; ${lets(10)} print a10`)).toEqual([])
    expect(codes(`let a0 = 1; ${lets(60)} print a60`)).toEqual(['query-too-long'])
    const chain = (many: number) =>
      Array.from(
        { length: many },
        (_, i) => `let a${i + 1} = ${'abs('.repeat(40)}a${i}${')'.repeat(40)}; `,
      )
    expect(codes(`let a0 = 1; ${chain(10).join('')} print a10`)).toEqual([])
    expect(codes(`let a0 = 1; ${chain(60).join('')} print a60`)).toEqual(['too-deep'])
    const ids = Array.from({ length: 24_000 }, (_, i) => i)
    expect(codes(`logs | where status in (${ids})`)).toEqual([])
  })

  it('checks thousands of columns in linear time', () => {
    const codes = (text: string) => problems(text).map(({ code }) => code)
    const many = (one: (i: number) => string) =>
      Array.from({ length: 7_000 }, (_, i) => one(i)).join(', ')
    // In quadratic time, each of these would take minutes.
    expect(codes(`logs | extend ${many((i) => `a${i} = status`)}`)).toEqual([])
    expect(codes(`logs | summarize ${many((i) => `a${i} = sum(status)`)}`)).toEqual([])
    expect(codes(`logs | distinct ${many(() => 'status')}`)).toEqual([])
    const parameters = many((i) => `p${i}:int = 1`)
    expect(codes(`declare query_parameters (${parameters}); print p1`)).toContain('query-too-long')
  })

  it('rejects operators that multiply the length of the query', () => {
    const codes = (text: string) => problems(text).map(({ code }) => code)
    const regexes = (many: number) => `dynamic(${JSON.stringify(Array(many).fill('[0-9]+'))})`
    expect(codes(`logs | redact ${regexes(100)} on message`)).toEqual([])
    expect(codes(`logs | redact ${regexes(20_000)}`)).toEqual(['query-too-long'])
    const captures = (many: number) => Array.from({ length: many }, (_, i) => `a${i} ","`).join(' ')
    expect(codes(`logs | parse message with ${captures(100)}`)).toEqual([])
    expect(codes(`logs | parse message with ${captures(10_000)}`)).toEqual(['query-too-long'])
    const fields = Array.from({ length: 1000 }, (_, i) => ({ name: `f${i}`, type: 'int' as const }))
    const wide = { datasets: ['logs'], fields: () => fields }
    const sum = (terms: number) => Array(terms).fill('f1').join(' + ')
    const latest = (terms: number) =>
      analyze(`logs | summarize arg_max(${sum(terms)}, *)`, { schema: wide, now: 0n })
    expect('query' in latest(10)).toBe(true)
    const long = latest(400)
    expect('problems' in long && long.problems.map(({ code }) => code)).toEqual(['query-too-long'])
  })

  it('reads quotes and stars in linear time', () => {
    const found = (text: string) => problems(text).map(({ code }) => code)
    expect(found(`print dynamic("${'\\"'.repeat(130_000)}`)).toEqual(['unclosed-bracket'])
    const name = 'a'.repeat(100)
    const schema = { datasets: [name], fields: () => [] }
    const result = analyze(`union ${'a*'.repeat(40)}b`, { schema, now: 0n })
    expect('problems' in result && result.problems.map(({ code }) => code)).toEqual([
      'unknown-dataset',
    ])
  })

  it('rejects queries that are nested too deeply', () => {
    const nested = (deep: number) => `${'(logs | union '.repeat(deep)}logs${')'.repeat(deep)}`
    expect(problems(`logs | union ${nested(18)}`)).toEqual([])
    const looked = (deep: number) =>
      `${'status in (logs | where '.repeat(deep)}ok${' | project status)'.repeat(deep)}`
    for (const text of [`logs | union ${nested(2000)}`, `logs | where ${looked(2000)}`]) {
      expect(problems(text).map(({ code }) => code)).toEqual(['too-deep'])
    }
    expect(problems(`logs | where ${looked(9)}`)).toEqual([])
    expect(problems(`logs | where ${looked(12)}`).map(({ code }) => code)).toEqual(['too-deep'])
    expect(problems(`let a = ${'('.repeat(10_000)}logs | count`).length).toBeGreaterThan(0)
  })

  it('accepts a chain of 5,000 conditions and a list of 10,000 values', () => {
    const chain = Array.from({ length: 5_000 }, (_, i) => `status == ${i}`).join(' or ')
    const list = Array.from({ length: 10_000 }, (_, i) => i).join(', ')
    expect('query' in analyzed(`logs | where ${chain} | where status in (${list})`)).toBe(true)
  })
})
