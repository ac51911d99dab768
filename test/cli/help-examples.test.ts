import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aggregationReference,
  functionReference,
  operatorReference,
} from '../../src/apl/language.js'
import { COMMAND_NAMES, createProgram } from '../../src/cli/program.js'
import { main } from '../../src/main.js'
import { fakeIo, silentContext } from '../support/fake-io.js'
import { type Served, served } from '../support/served.js'

// Every example of the reference runs on the real engine.

const EVENT = {
  level: 'error',
  service: 'api',
  path: '/cart',
  status: 503,
  duration_ms: 1_200,
  bytes: 512,
  user_id: 'u1',
  trace_id: 't1',
  tags: ['a', 'b'],
  geo: { city: 'Oslo' },
  http_method: 'GET',
}
const MESSAGES = ['timeout: took 312ms', 'user=ann code=7', 'job done']
/** The values of the last hour before the time of the service, 2026-01-01T12:00:00Z. */
const LOGS = MESSAGES.map((message, i) =>
  JSON.stringify({ ...EVENT, _time: `2026-01-01T11:5${i}:00Z`, message, status: 503 - i * 200 }),
)

/** Examples that draw rows at random, and may draw none. */
const RANDOM = ['rand', 'sample']

let service: Served

beforeAll(async () => {
  service = await served()
  const others = {
    access: LOGS,
    users: ['{"_time":"2026-01-01T11:50:00Z","user_id":"u1","name":"Ann"}'],
    teams: ['{"_time":"2026-01-01T11:50:00Z","service":"api","team":"core"}'],
  }
  for (const [name, events] of Object.entries({ logs: LOGS, ...others })) {
    await service.ingest(name, events)
  }
})

afterAll(() => service.close())

const functions = functionReference().flatMap(([, entries]) => entries)
const constants = functions.filter(({ example }) => example.startsWith('print '))
const others = [...operatorReference(), ...aggregationReference(), ...functions].filter(
  (entry) => !constants.includes(entry),
)

describe('the examples of the reference', () => {
  it.each(constants)('$name: the value is the one of the comment', async ({ name, example }) => {
    const at = example.lastIndexOf(' // ')
    expect(example.slice(0, at)).toContain(`${name}(`)
    const reply = await service.ask(example)
    expect('rows' in reply ? reply.rows.map((row) => row.map(value)) : reply.error).toEqual([
      [value(example.slice(at + 4))],
    ])
  })

  it.each(others)('$name: the query runs and has rows', async ({ name, example }) => {
    expect(example).toMatch(new RegExp(`(?<![\\w-])${name}(?![\\w-])`))
    const reply = await service.ask(example)
    if (!('rows' in reply)) return expect(reply.error).toBeUndefined()
    if (!RANDOM.includes(name)) expect(reply.rows.length).toBeGreaterThan(0)
    expect(reply.rows.flat().length === 0 || reply.rows.flat().some((one) => one !== 'null')).toBe(
      true,
    )
  })

  it('are about every operator, aggregation and function', () => {
    expect(constants.length).toBeGreaterThan(200)
    expect(others.length).toBeGreaterThan(60)
  })
})

it('the examples of commands query fields that the events of a log have', async () => {
  const program = await createProgram(COMMAND_NAMES, silentContext())
  const commands = program.commands.flatMap((command) => [
    [command.name()],
    ...command.commands.map((child) => [command.name(), child.name()]),
  ])
  const queries = new Set<string>()
  for (const words of commands) {
    const io = fakeIo()
    await main([...words, '--help'], io)
    for (const [, query] of io.out().matchAll(/"(\['logs'\] [^"]*)"/g)) queries.add(query!)
  }
  expect(queries.size).toBeGreaterThan(3)
  for (const query of queries) {
    const reply = await service.ask(query)
    expect('error' in reply ? reply.error : undefined, query).toBeUndefined()
  }
})

/** Parses the JSON text of a value: numbers are compared as such, `1` equals `1.0`. */
function value(json: string): unknown {
  return JSON.parse(json)
}
