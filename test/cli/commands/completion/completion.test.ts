import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMAND_NAMES, createProgram } from '../../../../src/cli/program.js'
import { main } from '../../../../src/main.js'
import { json, scriptedService } from '../../../client/scripted-service.js'
import { cannedService } from '../../../support/canned-service.js'
import { evq, start } from '../../../support/evq.js'
import { fakeIo, silentContext } from '../../../support/fake-io.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const directory = temporaryDirectory()
const scratch = temporaryDirectory()

beforeAll(async () => {
  for (const name of ['logs', 'log.s-2', 'Web_1']) {
    expect(await evq(['ingest', name], { directory, stdin: '{}' })).toMatchObject({ status: 0 })
  }
})

/** Returns the candidates for the words, one per line. */
async function lines(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const io = fakeIo({ env: { EVQ_DATA_DIR: directory, XDG_CONFIG_HOME: scratch, ...env } })
  expect(await main(['--timeout', '60s', 'completion', 'words', '--', ...words], io)).toBe(0)
  expect(io.err()).toBe('')
  return io.out().split('\n').slice(0, -1)
}

/** The same without descriptions. */
async function completed(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return (await lines(words, env)).map((line) => line.split('\t')[0])
}

describe('a word', () => {
  it('completes to a command or a subcommand', async () => {
    expect(await completed([''])).toEqual(COMMAND_NAMES)
    expect(await completed(['q'])).toEqual(['query'])
    expect(await completed(['profile', ''])).toEqual(['add', 'list', 'use', 'remove'])
  })

  it('completes to every option of the command tree', async () => {
    const program = await createProgram(COMMAND_NAMES, silentContext())
    for (const command of program.commands) {
      if (command.commands.length > 0) continue
      const visible = command.options.filter(({ hidden }) => !hidden)
      const offered = await completed([command.name(), '-'])
      for (const { long } of visible) expect(offered, command.name()).toContain(long)
      for (const { hidden, long } of command.options)
        if (hidden) expect(offered).not.toContain(long)
      expect(offered).toContain('--url')
    }
  })

  it.each([
    [
      ['query', '--output', 'c'],
      ['csv', 'chart'],
    ],
    [
      ['query', '-o', 'c'],
      ['csv', 'chart'],
    ],
    [
      ['query', '--output=c'],
      ['--output=csv', '--output=chart'],
    ],
    [['query', '-z', 'Europe/Berl'], ['Europe/Berlin']],
    [
      ['help', 'serv'],
      ['service', 'serve'],
    ],
    [['help', 'settin'], ['settings']],
    [['help', 'summ'], ['summarize']],
    [
      ['query', '--priority', ''],
      ['low', 'medium', 'high'],
    ],
    [
      ['--color', 'a'],
      ['auto', 'always'],
    ],
    [['--color', 'never', 'que'], ['query']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
  ])('becomes a value of an option: %j', async (words, expected) => {
    expect((await completed(words)).sort()).toEqual([...expected].sort())
  })

  it.each([
    [['query', '-f', '']],
    [['query', '--out', 'a']],
    [['ingest', 'logs', '']],
    [['ingest', 'logs', 'a.ndjson', '-i', 'json', '']],
    [['--data-dir', '']],
    [['view', 'app']],
    [['view', 'a.log', '']],
  ])('is left to the shell where a file stands: %j', async (words) => {
    expect(await completed(words)).toEqual([':files'])
  })

  it.each([[['query', '']], [['nope', '']], [['query', '--nope', '']], [['query', '--', '-']]])(
    'has no completions where it may be anything: %j',
    async (words) => {
      expect(await completed(words)).toEqual([])
    },
  )
})

describe('the name of a dataset', () => {
  it.each([[['ingest', '']], [['tail', '--since', '1h', '']]])(
    'comes from the data directory: %j',
    async (words) => {
      expect((await completed(words)).sort()).toEqual(['Web_1', 'log.s-2', 'logs'])
    },
  )

  it('completes the rest of a word with a prefix', async () => {
    expect(await completed(['query', '--legacy=log'])).toEqual([
      '--legacy=log.s-2',
      '--legacy=logs',
    ])
  })

  it('comes from the data directory that the line names', async () => {
    const env = { EVQ_DATA_DIR: scratch, HOME: directory }
    expect(await completed(['--data-dir', '~/', 'ingest', 'logs'], env)).toEqual(['logs'])
    expect(await completed(['ingest', ''], env)).toEqual([])
    expect(await completed(['--data-dir', directory, 'ingest', 'logs'], env)).toEqual(['logs'])
  })

  it('comes from the deployment', async () => {
    const service = await cannedService()
    service.respondWith({ body: [{ id: 'a', name: 'alpha' }, { name: 'beta' }, null, {}] })
    expect(await completed(['tail', ''], { EVQ_URL: service.url })).toEqual(['alpha', 'beta'])
    expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v1/datasets',
    ])
  })

  it('comes from a deployment that needs longer, with `--timeout`', async () => {
    const service = await scriptedService((response, request) => {
      setTimeout(() => json([{ name: 'alpha' }])(response, request), 1_200)
    })
    expect(await completed(['tail', ''], { EVQ_URL: service.url })).toEqual(['alpha'])
  })

  it('comes from a local service at an address', async () => {
    const service = start(['serve', '--listen', '127.0.0.1:0'], { directory })
    const [, url = ''] = await service.err.until(/(http:\S+:\d+)/)
    const [, token = ''] = await service.err.until(/(xapt-\S+)/)
    const env = { EVQ_URL: url, EVQ_TOKEN: token }
    expect(await completed(['tail', ''], env)).toEqual(['Web_1', 'log.s-2', 'logs'])
    expect(await completed(['tail', ''], { EVQ_URL: url })).toEqual([])
    service.child.kill('SIGTERM')
    await service.ended
  })

  it('has no completions when the deployment does not list any', async () => {
    const service = await cannedService()
    for (const body of ['<html>', { message: 'no' }, '[1']) {
      service.respondWith({ body })
      expect(await completed(['tail', ''], { EVQ_URL: service.url })).toEqual([])
    }
    service.respondWith({ status: 404, body: {} })
    expect(await completed(['tail', ''], { EVQ_URL: service.url })).toEqual([])
    expect(await completed(['tail', ''], { EVQ_URL: 'http://127.0.0.1:1' })).toEqual([])
    expect(await completed(['-P', 'none', 'tail', ''])).toEqual([])
  })
})

describe('a saved query', () => {
  it('is completed by its id, with its name, when the name cannot be typed', async () => {
    const create = ['starred', 'create', '--name', "it's:\tmine", '--apl', "['logs']"]
    const { stdout } = await evq(create, { directory })
    const { id } = JSON.parse(stdout)
    expect(await lines(['starred', 'run', ''])).toEqual([`${id}\tit's:\\tmine`])
    expect(await lines(['starred', 'run', 'none'])).toEqual([])
    expect(await lines(['--org-id', ''])).toEqual([])
    expect(await evq(['starred', 'delete', id], { directory })).toMatchObject({ status: 0 })
  })

  it('is completed by its name, or by its id when others have the same name', async () => {
    const service = await cannedService()
    const query = { apl: "['logs']" }
    const record = { kind: 'apl', metadata: {}, who: 'team', query }
    const named = (id: string, name: string) => ({ ...record, id, name })
    service.respondWith({ body: [named('5f1c', 'slow'), named('a', 'two'), named('b', 'two')] })
    const env = { EVQ_URL: service.url }
    expect(await lines(['starred', 'get', ''], env)).toEqual(['slow\t5f1c', 'a\ttwo', 'b\ttwo'])
    service.respondWith({ status: 404, body: {} })
    expect(await lines(['starred', 'get', ''], env)).toEqual([])
  })

  it('creates no data directory', async () => {
    const env = { EVQ_DATA_DIR: join(scratch, 'none') }
    expect(await lines(['starred', 'get', ''], env)).toEqual([])
    expect(await lines(['token', 'revoke', ''], env)).toEqual([])
    expect(existsSync(env.EVQ_DATA_DIR)).toBe(false)
  })
})

describe('the name of a token', () => {
  it('comes from the data directory, with its permissions', async () => {
    const create = ['token', 'create', 'ci: x', '--query', 'logs']
    expect(await evq(create, { directory })).toMatchObject({ status: 0 })
    expect(await lines(['token', 'revoke', ''])).toContain('ci: x\tquery logs')
  })
})

describe('the name of a profile', () => {
  it('comes from the configuration file', async () => {
    const path = join(scratch, 'evq/config.toml')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '[profiles.prod]\nurl = "http://127.0.0.1:1"\n', { mode: 0o600 })
    expect(await completed(['-P', ''])).toEqual(['prod', 'local'])
    expect(await completed(['diff', '--against-profile', 'p'])).toEqual(['prod'])
    expect(await completed(['profile', 'use', 'p'])).toEqual(['prod'])
  })
})

describe('completion', () => {
  it('rejects a shell other than bash, zsh and fish', async () => {
    const io = fakeIo()
    expect(await main(['completion', 'tcsh'], io)).toBe(2)
    expect(io.err()).toBe(
      'evq: There is no completion for `tcsh`. Supported shells are bash, zsh and fish.\n',
    )
  })
})
