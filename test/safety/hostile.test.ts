import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RUNS } from '../support/runs.js'
import { type Served, served } from '../support/served.js'

// Names and values that would do harm where they are interpreted: sent as the bytes of an event through
// HTTP, stored, queried and returned in rows.

let service: Served

beforeAll(async () => {
  service = await served()
})

afterAll(async () => {
  await service.close()
  expect([...service.reported.values()]).toEqual([])
})

const PIECES = [
  ...["'", '"', '`', '\\', '\\\\', '\0', '\n', '\r', '\t', '\u2028', ')', '(', '[', ']', ',', ';'],
  ...[
    '--',
    '/*',
    '*/',
    '#',
    '{',
    '}',
    '{x:Int8}',
    '%',
    '%s',
    '%27',
    '$',
    '$1',
    '\\1',
    '?',
    '*',
    '_',
  ],
  ...[' OR 1=1 ', "' OR ''='", '`.`', 'é', '🦆', '\u0301', '\u202e', 'NULL', 'null', ' ', '.', ':'],
]
const HOSTILE = fc.string({
  unit: fc.constantFrom(...PIECES, 'a', 'b', '1'),
  minLength: 1,
  maxLength: 10,
})
/**
 * The same without paths: dots in names have their own tests. Events with a key that ends in NUL are
 * rejected, because the engine cannot read them.
 */
const NAME = HOSTILE.filter((name) => !/[.*]/.test(name) && name.trim() === name).filter(
  (name) => name !== '' && !name.endsWith('\0'),
)

/** A string as an APL literal. */
function quoted(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is written as escapes
  return `"${value.replace(/[\\"]/g, '\\$&').replace(/[\u0000-\u001f]/g, unicodeEscape)}"`
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

async function rows(apl: string): Promise<readonly (readonly unknown[])[]> {
  const reply = await service.ask(apl)
  if (!('rows' in reply)) throw new Error(`${apl}\n${reply.error.message}`)
  return reply.rows.map((row) => row.map((cell) => JSON.parse(cell)))
}

describe('hostile names and values', () => {
  let datasets = 0

  it('are returned unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(NAME, HOSTILE, HOSTILE, async (name, value, other) => {
        fc.pre(value !== other && !value.startsWith(other))
        const dataset = `d${datasets++}`
        const event = (second: number, found: string) =>
          JSON.stringify({ _time: `2026-01-01T00:00:0${second}Z`, [name]: found, n: second })
        await service.ingest(dataset, [event(1, value), event(2, other)])
        const field = `[${quoted(name)}]`
        const text = quoted(value)
        const found = [[value]]

        expect(await rows(`${dataset} | where ${field} == ${text} | project ${field}`)).toEqual(
          found,
        )
        expect(await rows(`${dataset} | where ${field} in (${text}) | project ${field}`)).toEqual(
          found,
        )
        expect(
          await rows(
            `${dataset} | where ${field} startswith_cs ${text} | project ${field} | limit 1`,
          ),
        ).toHaveLength(1)
        expect(
          await rows(
            `${dataset} | extend ${field} = strcat(${field}, ${text}) | where n == 1 | project ${field}`,
          ),
        ).toEqual([[value + value]])
        expect(
          await rows(
            `${dataset} | summarize ${field} = count() by k = ${field} | where k == ${text} | project k, ${field}`,
          ),
        ).toEqual([[value, 1]])
        expect(
          await rows(
            `${dataset} | project x = replace_string(${text}, "", ${field}), n | sort by n asc | limit 1`,
          ),
        ).toEqual([['', 1]])
        const { length } = [...value]
        expect(await rows(`${dataset} | where n == 1 | project strlen(${field})`)).toEqual([
          [length],
        ])
      }),
      { numRuns: RUNS },
    )
  })

  it('are rejected as dataset names before they reach the engine', async () => {
    await fc.assert(
      fc.asyncProperty(HOSTILE, async (name) => {
        const reply = await service.ask(`[${quoted(name)}] | count`)
        expect([400, 404]).toContain(reply.status)
      }),
      { numRuns: 10 * RUNS },
    )
  })
})

describe('a name that is not a dataset', () => {
  it.each([
    ...[
      'system.tables',
      'system',
      'evq.fields',
      'evq',
      'datasets',
      'datasets.known',
      'information_schema.tables',
    ],
    ...[
      "file('/etc/passwd')",
      "url('http://localhost')",
      'numbers(3)',
      "merge('', '.*')",
      'INFORMATION_SCHEMA',
    ],
  ])('can not be read: %s', async (name) => {
    await service.ingest('known', ['{"n":1}'])
    for (const apl of [`[${quoted(name)}]`, `known | join kind=inner ([${quoted(name)}]) on n`]) {
      const reply = await service.ask(apl)
      expect([400, 404], apl).toContain(reply.status)
    }
  })
})

/** `let a1 = a0 + a0;` and so on: each name doubles the previous one. */
function doublings(many: number): string {
  return Array.from({ length: many }, (_, i) => `let a${i + 1} = a${i} + a${i};`).join(' ')
}

describe('an extremely large query', () => {
  it.each([
    ['10,000 parentheses', `known | where ${'('.repeat(10_000)}n == 1${')'.repeat(10_000)}`],
    ['10,000 brackets', `known | where n == dynamic(${'['.repeat(10_000)}${']'.repeat(10_000)})`],
    ['10,000 calls', `known | project x = ${'tolower('.repeat(10_000)}"a"${')'.repeat(10_000)}`],
    ['10,000 negations', `known | where ${'not('.repeat(10_000)}true${')'.repeat(10_000)}`],
    ['10,000 operands', `known | project x = ${Array(10_000).fill('n').join(' + ')}`],
    ['60 names that double', `let a0 = 1; ${doublings(60)} known | project x = a60`],
    [
      '60 functions that look twice',
      `known | project x = ${'totitle('.repeat(60)}"a"${')'.repeat(60)}`,
    ],
    [
      '17 functions that look twice, of a field',
      `known | project x = ${'totitle('.repeat(17)}tostring(n)${')'.repeat(17)}`,
    ],
    ['5,000 pipes', `known${' | where n == 1'.repeat(5_000)}`],
    ['5,000 steps that use each other', `known${' | extend n = n + 1'.repeat(5_000)}`],
    [
      '1,000 steps of different kinds',
      `known${' | limit 5 | sort by n | extend m = n | where m == 1'.repeat(250)}`,
    ],
    ['sides within sides', `known${' | join (known'.repeat(2_000)}${') on n'.repeat(2_000)}`],
    ['a text of 5 MB', `known | where s == "${'x'.repeat(5_000_000)}"`],
    ['a list of 5 MB', `known | where n in (${'1,'.repeat(2_500_000)}1)`],
  ])('has rows or a problem: %s', async (_, apl) => {
    await service.ingest('known', ['{"n":1,"s":"x"}'])
    const reply = await service.ask(apl)
    expect([200, 400, 413]).toContain(reply.status)
    if ('error' in reply) expect(reply.error.message).toMatch(/^[A-Z`].*\.$/)
  })
})
