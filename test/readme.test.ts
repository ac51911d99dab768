import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyze } from '../src/apl/analyze.js'
import { parse } from '../src/apl/syntax/parser.js'
import type { Type } from '../src/apl/type.js'
import { TOPICS } from '../src/cli/help/topics.js'
import { COMMAND_NAMES, createProgram } from '../src/cli/program.js'
import * as client from '../src/client/limits.js'
import * as service from '../src/service/limits.js'
import * as wire from '../src/wire/limits.js'
import { silentContext } from './support/fake-io.js'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

/** The types that fields of events can have: JSON has no timespans. */
const FIELDS = Object.entries({
  _time: 'datetime',
  duration_ms: 'int',
  level: 'string',
  logger: 'string',
  message: 'string',
  path: 'string',
  plan: 'string',
  service: 'string',
  status: 'int',
  trace_id: 'string',
  user_id: 'string',
} satisfies Record<string, Type>).map(([name, type]) => ({ name, type }))

const SCHEMA = { datasets: ['logs', 'signups'], fields: () => FIELDS }
const INPUTS = { main: 'logs', file: () => 'logs' }

describe('the README', () => {
  const queries = [
    ...readme.matchAll(/^```kusto\n(.*?)^```/gms),
    ...readme.matchAll(/^(?:\$ )?(?:cat \S+ \| )?evq query (?:-i \S+ )?"(.*?)"/gm),
  ].map((match) => match[1]!)

  it('has queries', () => {
    expect(queries.length).toBeGreaterThan(3)
  })

  it.each(queries)('shows a query that parses: %s', (query) => {
    // The misspelled field that shows a problem is a matter of names, not of syntax.
    expect(parse(query, { hasInput: true }).problems).toEqual([])
  })

  it.each(queries)('shows a query that compiles for the fields of its events: %s', (text) => {
    const analyzed = analyze(text, { schema: SCHEMA, inputs: INPUTS, now: 0n })
    expect('problems' in analyzed ? analyzed.problems : []).toEqual([])
  })

  it('mentions no command that does not exist', () => {
    const mentioned = [...`${readme}\n${contributing}`.matchAll(/(?:^|[`$|] ?)evq ([a-z]+)/gm)]
    expect(mentioned.length).toBeGreaterThan(10)
    for (const [, name] of mentioned) expect([...COMMAND_NAMES, 'help']).toContain(name)
  })

  it('mentions no flag that does not exist', async () => {
    const program = await createProgram(COMMAND_NAMES, silentContext())
    const nested = program.commands.flatMap(({ commands }) => commands)
    const all = [program, ...program.commands, ...nested]
    const flags = new Set([
      '--help',
      ...all.flatMap(({ options }) => options.flatMap(({ long }) => long ?? [])),
    ])
    expect(flagsIn(readme).length).toBeGreaterThan(5)
    expect(flagsIn(readme).filter((flag) => !flags.has(flag))).toEqual([])
  })

  it('points to every topic of the reference', () => {
    const [, reference = ''] = readme.split('## Reference')
    for (const { name } of TOPICS) expect(reference).toContain(`\`${name}\``)
  })

  it('has a picture of the program', () => {
    const [, path = ''] = /^!\[[^\]]+\]\((\S+)\)$/m.exec(readme) ?? []
    const picture = readFileSync(join(root, path), 'utf8')
    expect(picture).toMatch(/^<svg xmlns=.*<\/svg>\n$/s)
    for (const command of ['ingest', 'query', 'view']) expect(picture).toContain(`evq ${command} `)
  })

  it('is read in two minutes', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(131)
  })
})

describe('the files for contributors', () => {
  const map = readFileSync(join(root, 'src/README.md'), 'utf8')

  it.each([
    ['CONTRIBUTING.md', contributing],
    ['src/README.md', map],
  ])('name files that exist: %s', (_, text) => {
    const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|js|md|svg))`/g)].map(
      ([, path]) => path!,
    )
    expect(named.length).toBeGreaterThan(10)
    const missing = named.filter(
      (path) => ![path, `src/${path}`].some((file) => existsSync(join(root, file))),
    )
    expect(missing).toEqual([])
  })

  it('state the limits that the program has', () => {
    const stated = [...map.matchAll(/`([A-Z_]+)` \((\d[\d,]*)( ms| s| min| KiB| MiB)?\)/g)].map(
      ([, name, number, unit]) => [name, Number(number!.replaceAll(',', '')) * UNITS[unit ?? '']!],
    )
    expect(stated.length).toBeGreaterThan(10)
    const actual: Readonly<Record<string, unknown>> = { ...wire, ...client, ...service }
    expect(stated).toEqual(stated.map(([name]) => [name, actual[name!]]))
    const { INGEST_RETRY, REQUEST_RETRY, RETRY_DELAYS } = client
    const { firstDelayMs, maxDelayMs } = RETRY_DELAYS
    expect(map).toContain(
      `\`RETRY_DELAYS\` (${firstDelayMs} ms, doubled up to ${maxDelayMs / 1000} s)`,
    )
    expect(map).toContain(
      `\`INGEST_RETRY\` (${INGEST_RETRY.attempts} attempts; at most ${INGEST_RETRY.maxWaitMs / 60_000} min of waits that \`Retry-After\` asks for)`,
    )
    expect(map).toContain(
      `\`REQUEST_RETRY\` (${REQUEST_RETRY.attempts} attempts; ${REQUEST_RETRY.maxWaitMs / 1000} s)`,
    )
  })
})

/** The factors from units in the text to units of limits: milliseconds and bytes. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  ' ms': 1,
  ' s': 1000,
  ' min': 60_000,
  ' KiB': 1024,
  ' MiB': 1024 ** 2,
}

function flagsIn(text: string): readonly string[] {
  // Arguments of npm are not flags of evq.
  const own = text.replaceAll(/npm .*/g, '')
  return [...new Set([...own.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map((match) => match[0]))]
}
