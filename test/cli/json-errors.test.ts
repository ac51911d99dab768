import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { COMMAND_NAMES } from '../../src/cli/program.js'
import { main } from '../../src/main.js'
import { cannedService, tabular } from '../support/canned-service.js'
import { fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'

const service = await cannedService()
const scratch = temporaryDirectory()
const env = { EVQ_URL: service.url, XDG_CONFIG_HOME: scratch, XDG_STATE_HOME: scratch }
const missing = join(scratch, 'missing')

beforeEach(() => service.respondWith({ status: 403, body: { code: 403, message: 'No.' } }))

async function run(args: readonly string[], stdin = '') {
  const io = fakeIo({ env, stdin })
  return { exitCode: await main(args, io), err: io.err() }
}

/** A failing command line of each command. */
const DENIED = [
  ['ingest', 'logs'],
  ['query', "['logs']"],
  ['query', "['logs']", '--assert', 'a'],
  ['query', '--legacy', 'logs'],
  ['page', "['logs']"],
  ['diff', "['logs'] | summarize count()", '--since', '1h', '--against', '1d'],
  ['dataset', 'sample', 'logs'],
  ['dataset', 'rename', 'logs', 'other'],
  ['dataset', 'retain', 'logs', '30d'],
  ['tail', 'logs'],
  ['dataset', 'list'],
  ['dataset', 'show', 'logs'],
  ['starred', 'list'],
  ['starred', 'get', 'x'],
  ['starred', 'delete', 'x'],
  ['starred', 'run', 'x'],
]

const FAILING: readonly (readonly [words: readonly string[], exitCode: number])[] = [
  ...DENIED.map((words) => [words, 4] as const),
  [['ingest', 'logs', missing], 1],
  [['ingest', 'not a name'], 2],
  [['query', '-f', missing], 1],
  [['query', ''], 2],
  [['page', "['logs']", '--page-size', '0'], 2],
  [['tail', 'logs', '--since', 'whenever'], 2],
  [['starred', 'update', 'x', '-f', missing], 1],
  [['format', 'show', 'none'], 2],
  [['profile', 'use', 'none'], 2],
  [['profile', 'remove', 'none'], 2],
  [['serve', '--listen', 'nowhere'], 2],
  [['completion', 'tcsh'], 2],
  [['help', 'nothing-of-that-name'], 2],
  [['lsp', '--nope'], 2],
  [['nope'], 2],
  [['query', '--nope'], 2],
  // Not on a terminal.
  [['view', 'logs'], 2],
]

describe('--json-errors', () => {
  it('is tested with every command', () => {
    const tried = new Set(FAILING.map(([[name]]) => name))
    // `token` does not use the service; it has its own tests.
    expect(COMMAND_NAMES.filter((name) => !tried.has(name) && name !== 'token')).toEqual([])
  })

  it.each(FAILING)(
    'prints a failure as one JSON object and nothing else: %j',
    async (words, code) => {
      for (const more of [[], ['-q'], ['-v'], ['-vv']]) {
        const { exitCode, err } = await run([...words, '--json-errors', ...more], '{}\n')
        expect(exitCode, err).toBe(code)
        expect(err.endsWith('\n')).toBe(true)
        expect(err.trimEnd()).not.toContain('\n')
        const { error, notes, ...rest } = JSON.parse(err)
        expect(rest).toEqual({})
        expect(error).toMatchObject({
          code: expect.any(String),
          message: expect.stringMatching(/./),
        })
        if (notes !== undefined) expect(notes).toEqual(notes.map(() => expect.any(String)))
        expect(err).not.toMatch(/\n\s+at /)
      }
    },
  )

  it.each(DENIED)('includes the messages of -v as notes: %s %s', async (...words) => {
    const present = words.filter((word) => word !== undefined)
    const { err } = await run([...present, '--json-errors', '-vv'], '{}\n')
    const { notes } = JSON.parse(err)
    expect(notes.join('\n')).toContain(`The url \`${service.url}\` comes from \`EVQ_URL\`.`)
    expect(notes.join('\n')).toMatch(/#\d+ > (?:POST|GET|PUT|DELETE) http/)
    expect(notes.join('\n')).toMatch(/#\d+ < 403/)
  })

  it('has no effect when nothing fails', async () => {
    service.respondWith({ body: tabular([{ name: 'n', type: 'integer', values: '[1,2]' }]) })
    const { exitCode, err } = await run(['query', "['logs']", '--json-errors'])
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: expect.stringMatching(/^2 rows, .*\n$/) })
    expect((await run(['query', "['logs']", '--json-errors', '-q'])).err).toBe('')
  })

  it('reports a failed assertion with its exit code', async () => {
    service.respondWith({
      body: tabular([{ name: 'n', type: 'integer', values: '[]' }], { rowsMatched: 0 }),
    })
    const { exitCode, err } = await run(['query', "['logs']", '--fail-on-empty', '-o', 'json'])
    expect(exitCode).toBe(6)
    const { error, notes } = JSON.parse(err)
    expect(error).toMatchObject({
      code: 'assertion',
      message: 'The result has no rows (`--fail-on-empty`).',
    })
    expect(notes).toEqual([expect.stringMatching(/^no rows/)])
  })
})
