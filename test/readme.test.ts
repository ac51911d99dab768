import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AGGREGATES } from '../src/apl/aggregate/aggregates.js'
import { analyze } from '../src/apl/analyze.js'
import { FUNCTION_ALIASES, FUNCTIONS } from '../src/apl/function/functions.js'
import { parse } from '../src/apl/syntax/parser.js'
import { OPERATOR_WORDS } from '../src/apl/syntax/words.js'
import type { Type } from '../src/apl/type.js'
import { COMMAND_NAMES, createProgram } from '../src/cli/program.js'
import { silentContext } from './support/fake-io.js'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The types that fields of events can have: JSON has no timespans. */
const FIELDS = Object.entries({
  _time: 'datetime',
  duration_ms: 'int',
  level: 'string',
  message: 'string',
  path: 'string',
  plan: 'string',
  service: 'string',
  status: 'int',
  trace_id: 'string',
  user_id: 'string',
} satisfies Record<string, Type>).map(([name, type]) => ({ name, type }))

const SCHEMA = { datasets: ['logs', 'signups'], fields: () => FIELDS }

describe('the README', () => {
  const queries = [
    ...readme.matchAll(/^```kusto\n(.*?)^```/gms),
    ...readme.matchAll(/^(?:\$ )?evq query "(.*?)"/gm),
  ].map((match) => match[1]!)

  it('has queries', () => {
    expect(queries.length).toBeGreaterThan(3)
  })

  it.each(queries)('shows a query that reads: %s', (query) => {
    // The misspelt field that shows a problem is a matter of names, not of reading.
    expect(parse(query).problems).toEqual([])
  })

  it.each(queries)('shows a query that can run on data as events hold them: %s', (text) => {
    const analyzed = analyze(text, { schema: SCHEMA, now: 0n })
    expect('problems' in analyzed ? analyzed.problems : []).toEqual([])
  })

  it('tells every command', () => {
    for (const command of COMMAND_NAMES) expect(readme).toMatch(new RegExp(`\\bevq ${command}\\b`))
  })

  it('tells every flag, and no other', async () => {
    const program = await createProgram(COMMAND_NAMES, silentContext())
    const nested = program.commands.flatMap(({ commands }) => commands)
    const all = [program, ...program.commands, ...nested]
    const options = all.flatMap((command) => command.options)
    const flags = new Set(['--help', ...options.flatMap(({ long }) => long ?? [])])
    expect(flagsIn(readme).filter((flag) => !flags.has(flag))).toEqual([])
    expect([...flags].filter((flag) => !flagsIn(readme).includes(flag))).toEqual([])
  })

  it('tells every code of a problem, and no other', () => {
    const folder = join(root, 'src/apl/problem')
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    const wording = files.join('\n')
    const codes = new Set([...wording.matchAll(/\bcode: '([a-z-]+)'/g)].map((match) => match[1]!))
    expect(codes.size).toBeGreaterThan(30)
    expect(namesIn(section('Problems'))).toEqual([...codes].sort())
  })

  it('tells every operator, and no other', () => {
    expect(namesIn(section('Operators'))).toEqual([...OPERATOR_WORDS].sort())
  })

  it('tells every aggregation, and no other', () => {
    expect(namesIn(section('Aggregations'))).toEqual(Object.keys(AGGREGATES).sort())
  })

  it('tells every function, and no other', () => {
    const names = [...Object.keys(FUNCTIONS), ...Object.keys(FUNCTION_ALIASES)]
    expect(namesIn(section('Functions'))).toEqual(names.sort())
  })
})

function flagsIn(text: string): readonly string[] {
  // What npm is given is not evq's.
  const own = text.replaceAll(/npm .*/g, '')
  return [...new Set([...own.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map((match) => match[0]))]
}

/** The text below a heading, up to the next one. */
function section(heading: string): string {
  const text = new RegExp(`^#+ ${heading}\n(.*?)(?=^#+ )`, 'ms').exec(readme)?.[1]
  if (text === undefined) throw new Error(`the README has no section "${heading}"`)
  return text
}

/** The words in backquotes, in order. */
function namesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/`([\w-]+)`/g)].map((match) => match[1]!))].sort()
}
