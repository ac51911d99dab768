import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { OPERATORS } from '../../../src/sql/function/operators.js'
import { hasAnyTerm, hasTerm } from '../../../src/sql/function/term-search.js'
import { list, raw, sql, text } from '../../../src/sql/sql.js'
import type { TermRule } from '../../../src/sql/stage/term-condition.js'
import { constant, nullable } from '../../../src/sql/value.js'
import { openTestEngine } from '../../support/engine.js'
import { RUNS } from '../../support/runs.js'

let engine: Engine

beforeAll(async () => {
  engine = await openTestEngine()
})

afterAll(() => engine.close())

const LETTERS = fc.constantFrom(
  'a',
  'A',
  'b',
  '7',
  'é',
  'É',
  'ж',
  ' ',
  '_',
  '-',
  '—',
  '.',
  '🦆',
  'a',
)
const SOURCE = fc.string({ unit: LETTERS, maxLength: 10 })
const TERM = fc.string({
  unit: fc.constantFrom('a', 'B', 'é', '7', 'ж', '-'),
  minLength: 1,
  maxLength: 3,
})

/** True when the rule finds the term in the string, computed character by character. */
function stands(source: string, term: string, { start, end, caseSensitive }: TermRule): boolean {
  const [text, part] = caseSensitive ? [source, term] : [source.toLowerCase(), term.toLowerCase()]
  const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character)
  const [characters, wanted] = [[...text], [...part]]
  return characters.some((_, at) => {
    if (!wanted.every((character, i) => characters[at + i] === character)) return false
    const before = characters[at - 1] ?? ' '
    const after = characters[at + wanted.length] ?? ' '
    const startsTerm = !isLetter(before) || !isLetter(wanted[0]!)
    const endsTerm = !isLetter(after) || !isLetter(wanted.at(-1)!)
    return (!start || startsTerm) && (!end || endsTerm)
  })
}

it('finds the same terms as a character-by-character search', async () => {
  const rule = fc.record({ start: fc.boolean(), end: fc.boolean(), caseSensitive: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(SOURCE, { minLength: 1, maxLength: 40 }),
      TERM,
      rule,
      async (sources, term, where) => {
        const source = { sql: raw('s'), type: 'string', nullable: false } as const
        const column = { sql: raw('t'), type: 'string', nullable: false } as const
        const known = hasTerm(source, constant('string', term), where).sql
        const found = hasTerm(source, column, where).sql
        const rows = sql`SELECT arrayJoin([${list(sources.map(text))}]) AS s, ${text(term)} AS t`
        const { columns } = await engine.read(
          sql`SELECT ${known} AS known, ${found} AS found FROM (${rows})`,
          { timeoutMs: 120_000, memoryBytes: 1_000_000_000 },
        )
        const expected = sources.map((each) => Number(stands(each, term, where)))
        expect(JSON.parse(columns.get('known')!)).toEqual(expected)
        expect(JSON.parse(columns.get('found')!)).toEqual(expected)
      },
    ),
    { numRuns: 3 * RUNS },
  )
})

it('finds characters anywhere in a string, and nothing in a null', async () => {
  const rule = { start: true, end: true, caseSensitive: false }
  const sources = fc.array(fc.option(SOURCE), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(sources, TERM, async (sources, term) => {
      const source = { sql: raw('s'), type: 'string', nullable: true } as const
      const written = constant('string', term)
      const strings = sources.map((each) => (each === null ? sql`NULL` : text(each)))
      const rows = sql`SELECT arrayJoin([CAST(NULL, 'Nullable(String)'), ${list(strings)}]) AS s`
      const { columns } = await engine.read(
        sql`SELECT ${OPERATORS.contains([source, written], 'bool').sql} AS contained, ${hasTerm(source, written, rule).sql} AS had FROM (${rows})`,
        { timeoutMs: 120_000, memoryBytes: 1_000_000_000 },
      )
      const found = (test: (string: string) => boolean) =>
        [null, ...sources].map((each) => Number(each !== null && test(each)))
      const contains = (each: string) => each.toLowerCase().includes(term.toLowerCase())
      expect(JSON.parse(columns.get('contained')!)).toEqual(found(contains))
      expect(JSON.parse(columns.get('had')!)).toEqual(found((each) => stands(each, term, rule)))
    }),
    { numRuns: 3 * RUNS },
  )
})

it.each(['timeout', 'time-out'])('computes the string once that may contain %j', (term) => {
  const source = nullable('string', sql`JSONExtract(line, 'a', 'Nullable(String)')`)
  const rule = { start: true, end: true, caseSensitive: false }
  const found = [
    hasTerm(source, constant('string', term), rule),
    hasAnyTerm(source, [constant('string', term)], rule),
    OPERATORS.contains([source, constant('string', `${term} µs`)], 'bool'),
  ]
  for (const { sql: test } of found) expect(test.text.split('JSONExtract')).toHaveLength(2)
})
