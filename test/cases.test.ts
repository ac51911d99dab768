import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatQuery } from '../src/apl/syntax/format.js'
import { parse, wholeQuery } from '../src/apl/syntax/parser.js'
import { EngineError } from '../src/engine/engine.js'
import { renderProblems } from '../src/render/problem.js'
import { queryFailure } from '../src/sql/failure.js'
import { ask, compiled, type QueryResult, type World } from './support/ask.js'
import { layOut } from './support/dataset.js'
import { openTestEngine } from './support/engine.js'

// A case is a readable file: a sentence, a query, and its result. The whole file
// is rebuilt from the sentence and the query, and compared with itself; `vitest -u` writes it.

const FOLDER = join(import.meta.dirname, 'cases')
const DATASETS = ['addresses', 'http', 'lists', 'numbers', 'odd names', 'texts']
const FROM_TEXT = ' from text'
const NOW = 1_767_229_200_000_000_000n // 2026-01-01T01:00:00Z

/** The same events twice: with a column for each field of one type, and without columns. */
let worlds: { readonly hot: World; readonly cold: World }

beforeAll(async () => {
  const engine = await openTestEngine()
  const world = async (hot: boolean): Promise<World> => {
    const datasets = new Map()
    for (const name of DATASETS) {
      const events = readFileSync(join(FOLDER, 'events', `${name}.ndjson`), 'utf8')
      const table = hot ? name : name + FROM_TEXT
      datasets.set(name, await layOut(engine, { table, events: events.trim().split('\n'), hot }))
    }
    return { engine, datasets, now: NOW }
  }
  worlds = { hot: await world(true), cold: await world(false) }
})

afterAll(() => worlds.hot.engine.close())

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.txt'))
  .sort()

describe.each(files)('%s', (file) => {
  const written = readFileSync(join(FOLDER, file), 'utf8')
  const { sentence, query, sections } = sectionsOf(written)

  it('has the result of its query', async () => {
    await expect(await rebuilt({ sentence, query, sections })).toMatchFileSnapshot(
      join(FOLDER, file),
    )
  })

  it('parses equally after formatting', () => {
    const tree = wholeQuery(parse(query))
    if (tree === undefined) return expect(sections).toContain('problems')
    const again = formatQuery(tree)
    const parsed = parse(again)
    expect(parsed.problems).toEqual([])
    expect(formatQuery(wholeQuery(parsed) ?? tree)).toBe(again)
  })
})

interface Case {
  readonly sentence: string
  readonly query: string
  readonly sections: readonly string[]
}

function sectionsOf(file: string): Case {
  const [sentence = '', ...rest] = file.split(/^--- /m)
  const sections = new Map(
    rest.map((section) => {
      const end = section.indexOf('\n')
      return [section.slice(0, end), section.slice(end + 1).trimEnd()]
    }),
  )
  return {
    sentence: sentence.trim(),
    query: sections.get('query') ?? '',
    sections: [...sections.keys()],
  }
}

async function rebuilt({ sentence, query, sections }: Case): Promise<string> {
  const parts = [`${sentence}\n`, `--- query\n${query}\n`]
  const result = compiled(worlds.hot, query)
  if ('problems' in result) {
    parts.push(`--- problems\n${renderProblems(query, result.problems, { color: 'none' })}`)
  } else {
    if (sections.includes('sql')) parts.push(`--- sql\n${result.query.statement.text}\n`)
    const rows = await response(worlds.hot, query)
    // A column only makes reading faster. The same statement has the same rows.
    if (
      statementOf(worlds.cold, query).replaceAll(FROM_TEXT, '') !== statementOf(worlds.hot, query)
    )
      expect(await response(worlds.cold, query)).toBe(rows)
    parts.push(rows)
  }
  return parts.join('\n')
}

function statementOf(world: World, query: string): string {
  const result = compiled(world, query)
  return 'problems' in result ? '' : result.query.statement.text
}

async function response(world: World, query: string): Promise<string> {
  try {
    return `--- rows\n${table(await ask(world, query))}`
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const failure = queryFailure(error)
    if (failure === undefined) throw error
    return `--- failure\n${failure.code}: ${failure.message}\n`
  }
}

/** Columns aligned; the values are the JSON of the response. */
function table({ names, rows }: QueryResult): string {
  const lines = [names.map(printable), ...rows]
  const widths = names.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function printable(name: string): string {
  return name.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))
}
