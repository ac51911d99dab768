import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, served } from '../support/served.js'
import { withFields } from './fields.js'
import { INVENTORY, uses } from './inventory.js'

// The inventory of the language: every name exists, appears in a case, and returns the value that
// the inventory lists for it, from the text of the query through HTTP to the rows.

const CASES = join(import.meta.dirname, '../cases')

let service: Served

beforeAll(async () => {
  service = await served()
  await service.ingest(
    'known',
    [1, 2, 3, 4].map((n) => `{"_time":"2026-01-01T00:00:0${n}Z","n":${n},"s":"text ${n}"}`),
  )
})

afterAll(async () => {
  await service.close()
  expect([...service.reported.values()]).toEqual([])
})

const answered = INVENTORY.filter(({ answers }) => answers !== undefined)
const refused = INVENTORY.filter((entry) => entry.refused !== undefined)

/** The entries that are reported by name as unsupported. */
const REFUSED = [
  'cursor_current',
  'externaldata',
  'format_sql',
  'genai_cost',
  'genai_get_pricing',
  'genai_input_cost',
  'genai_output_cost',
  'geo_info_from_ip_address',
  'parse_sql',
]

it('contains the whole language', () => {
  const count = (kind: string) => INVENTORY.filter((entry) => entry.kind === kind).length
  expect(['function', 'aggregation', 'tabular', 'sign'].map(count)).toEqual([258, 33, 30, 47])
})

it('refuses only what was decided to be refused', () => {
  expect(refused.map(({ name }) => name).sort()).toEqual(REFUSED)
})

it('has rows or a reason for every entry', () => {
  const silent = INVENTORY.filter(({ answers, refused }) => (answers === undefined) === !refused)
  expect(silent).toEqual([])
})

describe.each(answered)('$name ($category)', ({ answers = [] }) => {
  it.each(answers)('returns the rows of the inventory (%#)', async ({ query, rows }) => {
    const reply = await service.ask(query)
    if (!('rows' in reply)) return expect(reply.error.message).toBe('rows')
    expect(reply.rows.map((row) => row.map((cell) => JSON.parse(cell)))).toEqual(rows)
  })
})

describe('queries with fields instead of constant arguments', () => {
  const inFields = answered.flatMap(({ kind, name, answers = [] }) => {
    if (kind !== 'function' && kind !== 'sign') return []
    return answers.flatMap(({ query, rows }) => {
      const [, expressions = '', steps = ''] = /^print (.*?)((?: \| .*)?)$/s.exec(query) ?? []
      const asked = withFields(expressions)
      return asked === undefined ? [] : [{ name, query: asked + steps, rows }]
    })
  })

  it('exist for nearly all entries', () => {
    expect(inFields.length).toBeGreaterThan(280)
  })

  it.each(inFields)('return the same rows: $name', async ({ query, rows }) => {
    const reply = await service.ask(query)
    if (!('rows' in reply)) return expect(`${query}\n${reply.error.message}`).toBe('rows')
    expect(reply.rows.map((row) => row.map((cell) => JSON.parse(cell)))).toEqual(rows)
  })
})

describe.each(refused)('$name ($category)', ({ name, refused }) => {
  it('is reported by its name', async () => {
    const reply = await service.ask(refused?.query ?? '')
    expect(reply.status).toBe(400)
    expect('error' in reply && reply.error.message).toContain(`\`${name}\``)
    expect('error' in reply && reply.error.problems?.[0]?.help).toBeDefined()
  })
})

describe('each name of the language', () => {
  const queries = readdirSync(CASES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.txt'))
    .map((file) => /^--- query\n(.*?)^--- /ms.exec(readFileSync(join(CASES, file), 'utf8'))?.[1])

  it('appears in a case', () => {
    const unseen = INVENTORY.filter(
      (entry) => !queries.some((query) => query !== undefined && uses(query, entry)),
    )
    expect(unseen.map(({ kind, name }) => `${kind} ${name}`)).toEqual([])
  })
})
