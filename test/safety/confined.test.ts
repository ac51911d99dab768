import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../../src/engine/engine.js'
import type { Sql } from '../../src/sql/sql.js'
import { query } from '../fuzz/query.js'
import { randomOf } from '../fuzz/random.js'
import { compiled, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// The SQL that queries compile to only reads, and only the datasets that the query names.

const CASES = join(import.meta.dirname, '../cases')
const TABLES = ['http', 'numbers', 'odd names', 'odd-names']
const QUERIES = [
  ...readdirSync(CASES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .map(
      (file) => /^--- query\n(.*?)^--- /ms.exec(readFileSync(join(CASES, file), 'utf8'))?.[1] ?? '',
    ),
  ...Array.from({ length: 2_000 }, (_, seed) => query(randomOf(seed))),
]

let world: World
let all: readonly Compiled[]

beforeAll(async () => {
  const engine = await openTestEngine()
  const datasets = new Map()
  for (const table of TABLES) {
    const file = join(CASES, 'events', `${table.replace('-', ' ')}.ndjson`)
    const events = readFileSync(file, 'utf8').trim().split('\n')
    datasets.set(table, await layOut(engine, { table, events, hot: true }))
  }
  world = { engine, datasets, now: 1_767_229_200_000_000_000n }
  all = everything()
})

afterAll(() => world.engine.close())

interface Compiled {
  readonly apl: string
  readonly statements: readonly Sql[]
}

function everything(): readonly Compiled[] {
  return QUERIES.flatMap((apl) => {
    const found = compiled(world, apl)
    if ('problems' in found) return []
    const { statement, matched } = found.query
    return [{ apl, statements: matched === undefined ? [statement] : [statement, matched] }]
  })
}

describe('compiled SQL', () => {
  it('reads only the tables of the datasets that its query names', () => {
    expect(all.length).toBeGreaterThan(400)
    for (const { apl, statements } of all) {
      for (const { text } of statements) {
        const strangers = sourcesOf(text).filter((name) => !isNamed(name, apl))
        expect({ apl, strangers }).toEqual({ apl, strangers: [] })
      }
    }
  })

  it('is one SELECT, without settings, formats or files', () => {
    for (const { apl, statements } of all) {
      for (const { text } of statements) {
        const words = bare(text)
        expect({ apl, words }).toMatchObject({
          words: expect.stringMatching(/^\(?(?:SELECT|WITH)\b/),
        })
        expect(words).not.toMatch(/;|--|\/\*|\bSETTINGS\b|\bFORMAT\b|\bINTO\b|\bOUTFILE\b/)
        expect(words).not.toMatch(
          /\b(?:file|url|s3|remote|mysql|postgresql|executable|merge|cluster|input|dictGet\w*|getSetting|hostName|currentDatabase|version|sleep)\s*\(/i,
        )
      }
    }
  })
})

describe('the engine during a query', () => {
  const limits = { timeoutMs: 60_000, memoryBytes: 1e9 }

  it.each([
    'CREATE TABLE stranger (x Int8) ENGINE = Memory',
    'INSERT INTO http SELECT * FROM http',
    'DROP TABLE http',
    'SET max_threads = 1',
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
  ])('refuses what is no reading of its tables: %s', async (text) => {
    await expect(world.engine.read({ kind: 'sql', text }, limits)).rejects.toThrow(EngineError)
  })
})

/** True when a query names a dataset: by its name, or all datasets with `*` or without a name. */
function isNamed(table: string, apl: string): boolean {
  const takesAll = /\bunion\b[^|]*\*|(?:^|[(;])\s*search\b/m.test(apl)
  return TABLES.includes(table) && (takesAll || apl.includes(table))
}

/** A statement without its strings and quoted names. */
function bare(text: string): string {
  return text.replace(/'(?:[^'\\]|\\.)*'/gs, "''").replace(/`(?:[^`\\]|\\.)*`/gs, '``')
}

/** The tables after FROM, JOIN and IN, without subqueries. */
function sourcesOf(text: string): readonly string[] {
  const names: string[] = []
  const hidden = text
    .replace(/'(?:[^'\\]|\\.)*'/gs, "''")
    .replace(/`((?:[^`\\]|\\.)*)`/gs, (_, name: string) => {
      names.push(name)
      return `⟦${names.length - 1}⟧`
    })
  return [...hidden.matchAll(/\b(?<!ARRAY )(?:FROM|JOIN)\s+(?!\()(\S+)/g)].map(([, found = '']) => {
    const word = found.replace(/[),]+$/, '')
    const quoted = /^⟦(\d+)⟧$/.exec(word)
    return quoted ? names[Number(quoted[1])]! : word
  })
}
