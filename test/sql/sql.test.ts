import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import { bytes, identifier, list, sql, text } from '../../src/sql/sql.js'
import { openTestEngine } from '../support/engine.js'
import { RUNS } from '../support/runs.js'

let engine: Engine

beforeAll(async () => {
  engine = await openTestEngine()
})

afterAll(() => engine.close())

const LIMITS = { timeoutMs: 120_000, memoryBytes: 1_000_000_000 }
const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom("'", '"', '`', '\\', '\0', '\n', '%', '{', '}', 'a', ';', '-'),
  }),
)

it('any string survives quoting unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(HOSTILE, { minLength: 1, maxLength: 30 }), async (values) => {
      const { columns } = await engine.read(
        sql`SELECT arrayJoin([${list(values.map(text))}]) AS v`,
        LIMITS,
      )
      expect(JSON.parse(columns.get('v')!)).toEqual(values)
    }),
    { numRuns: 3 * RUNS },
  )
})

it('any bytes are written as a string', async () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('hex')
  const { columns } = await engine.read(sql`SELECT lower(hex(${bytes(all)})) AS v`, LIMITS)
  expect(JSON.parse(columns.get('v')!)).toEqual([all])
  for (const hex of ["'", 'a', '0g', '00\n', 'AB']) expect(() => bytes(hex)).toThrow(RangeError)
})

it('any string can be a column name', async () => {
  await fc.assert(
    fc.asyncProperty(
      HOSTILE.filter((name) => name !== ''),
      async (name) => {
        const { columns } = await engine.read(
          sql`SELECT ${identifier(name)} AS v FROM (SELECT 7 AS ${identifier(name)})`,
          LIMITS,
        )
        expect(columns.get('v')).toBe('[7]')
      },
    ),
    { numRuns: 5 * RUNS },
  )
})

it('numbers that are not integers are refused', () => {
  expect(() => sql`${1.5}`).toThrow(RangeError)
  expect(() => sql`${2 ** 60}`).toThrow(RangeError)
})

it('a minus sign does not become a comment', () => {
  expect(sql`1 -${-1}`.text).toBe('1 -(-1)')
})
