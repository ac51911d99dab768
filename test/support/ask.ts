import { analyze } from '../../src/apl/analyze.js'
import type { TimeRange } from '../../src/apl/environment.js'
import type { Engine, EngineResult } from '../../src/engine/engine.js'
import { type CompileOptions, compile } from '../../src/sql/compile.js'
import type { CompiledQuery } from '../../src/sql/compiled-query.js'
import type { Problem } from '../../src/text/problem.js'
import { JsonReader } from '../../src/wire/json/json-text.js'
import type { TestDataset } from './dataset.js'

/** Datasets to query, and the value of `now()`. */
export interface World {
  readonly engine: Engine
  readonly datasets: ReadonlyMap<string, TestDataset>
  readonly now: bigint
}

/** A result row by row, each value as the JSON text that the service would send. */
export interface QueryResult {
  readonly names: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface AskOptions {
  readonly range?: TimeRange
  readonly limit?: bigint
  readonly cursors?: CompileOptions['cursors']
  readonly dividesSearches?: boolean
}

const LIMITS = { timeoutMs: 120_000, memoryBytes: 2_000_000_000 }

export function compiled(
  world: World,
  apl: string,
  options: AskOptions = {},
): { readonly query: CompiledQuery } | { readonly problems: readonly Problem[] } {
  const schema = {
    datasets: [...world.datasets.keys()],
    fields: (name: string) => world.datasets.get(name)?.fields,
  }
  const analyzed = analyze(apl, { schema, now: world.now })
  if ('problems' in analyzed) return analyzed
  const query = compile(analyzed.query, {
    layout: (name) => world.datasets.get(name)!.layout,
    range: options.range ?? {},
    limit: options.limit ?? 1_000n,
    ...(options.cursors && { cursors: options.cursors }),
    ...(options.dividesSearches && { dividesSearches: true }),
  })
  return { query }
}

/** Runs a query. Throws when it has problems. */
export async function ask(
  world: World,
  apl: string,
  options: AskOptions = {},
): Promise<QueryResult> {
  const result = compiled(world, apl, options)
  if ('problems' in result) {
    throw new Error(`${apl}\n${result.problems.map(({ message }) => message).join('\n')}`)
  }
  return answerOf(result.query, await world.engine.read(result.query.statement, LIMITS))
}

/** Returns only the rows, each as its values separated by spaces. */
export async function rowsOf(
  world: World,
  apl: string,
  options: AskOptions = {},
): Promise<readonly string[]> {
  const { rows } = await ask(world, apl, options)
  return rows.map((row) => row.join(' '))
}

/** Returns the number of events that pass the filters, as counted by a query. */
export async function matchedBy(
  world: World,
  apl: string,
  options: AskOptions = {},
): Promise<string> {
  const result = compiled(world, apl, options)
  if ('problems' in result || !result.query.matched) throw new Error(`${apl} counts nothing`)
  const { columns } = await world.engine.read(result.query.matched, LIMITS)
  return columns.get('matched') ?? ''
}

export function answerOf(query: CompiledQuery, result: EngineResult): QueryResult {
  const columns = query.columns.map(({ id, encoding, type }) => {
    const cells = elements(result.columns.get(`c${id}`) ?? '[]')
    if (encoding === 'json') return cells.map((cell) => (cell === 'null' ? cell : JSON.parse(cell)))
    return type === 'datetime' ? cells.map(shortTime) : cells
  })
  const rows = Array.from({ length: result.rows }, (_, i) => columns.map((cells) => cells[i]!))
  return { names: query.columns.map(({ name }) => name), rows }
}

function elements(array: string): string[] {
  const rows: string[] = []
  const reader = new JsonReader(array)
  reader.array(() => rows.push(reader.raw()))
  return rows
}

/** `"2026-01-01T00:00:00.5Z"`: the service cuts the zeros at the end. */
function shortTime(cell: string): string {
  return cell.replace(/\.?0*Z"$/, 'Z"')
}
