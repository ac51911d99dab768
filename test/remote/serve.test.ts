import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { type ClickHouseServers, needsServers, startServers } from '../support/clickhouse-server.js'
import { evq, start } from '../support/evq.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const scratch = temporaryDirectory()
let directories = 0

function dataDirectory(): string {
  directories += 1
  return join(scratch, `data-${directories}`)
}

function configFile(text: string, mode = 0o600): string {
  const path = join(scratch, `clickhouse-${directories++}.toml`)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

describe('the address of ClickHouse', () => {
  it.each(['localhost:8123', 'tcp://db:9000', ''])(
    'rejects the ClickHouse address %j',
    async (url) => {
      const io = fakeIo()
      expect(await main(['serve', '--clickhouse', url], io)).toBe(2)
      expect(io.err()).toContain("`--clickhouse` takes the address of ClickHouse's HTTP port")
    },
  )

  it('rejects a password in the ClickHouse address', async () => {
    const io = fakeIo()
    expect(await main(['serve', '--clickhouse', 'http://me:secret@db:8123'], io)).toBe(2)
    expect(io.err()).toContain('takes no password')
    expect(io.err()).not.toContain('secret')
  })
})

describe('the configuration of ClickHouse', () => {
  const startupError = async (config: string): Promise<string> => {
    const io = fakeIo()
    const args = ['serve', '--clickhouse', 'http://db:8123', '--clickhouse-config', config]
    expect(await main(args, io)).toBe(2)
    return io.err()
  }

  it('rejects a configuration with a password that other users can read', async () => {
    const path = configFile('password = "secret"\n', 0o644)
    expect(await startupError(path)).toBe(
      `evq: \`${path}\` contains a password and other users can read it (mode 0644). Run \`chmod 600 ${path}\`.\n`,
    )
  })

  it('rejects invalid TOML and unknown keys', async () => {
    const path = configFile('pasword = "secret"\n')
    expect(await startupError(path)).toBe(
      `evq: Unknown key \`pasword\` in \`${path}\`. Did you mean \`password\`?\n`,
    )
    const broken = configFile('user = "me"\npassword = "secret\n')
    const err = await startupError(broken)
    expect(err).toContain(`evq: \`${broken}:2\` is not TOML: `)
    expect(err).not.toContain('secret')
  })

  it('reports a missing configuration file', async () => {
    expect(await startupError('/nowhere/db.toml')).toBe(
      "evq: `/nowhere/db.toml` can't be read (no such file or directory).\n",
    )
  })

  it('requires an address with the configuration', async () => {
    const io = fakeIo()
    expect(await main(['serve', '--clickhouse-config', 'x'], io)).toBe(2)
    expect(io.err()).toBe('evq: `--clickhouse-config` requires `--clickhouse <url>`.\n')
  })
})

describe('the service in front of a ClickHouse server', needsServers, () => {
  let servers: ClickHouseServers
  let url: string

  beforeAll(async () => {
    servers = await startServers(1)
    url = servers.servers[0]!.url
  })
  afterAll(() => servers.stop())

  it('stores and queries events, also after a restart, with none of them in the data directory', async () => {
    const first = dataDirectory()
    const service = start(['serve', '--listen', '127.0.0.1:0', '--clickhouse', url], {
      directory: first,
    })
    await service.err.until(/The first token/)
    expect(service.err.text()).toContain(`Serving ${url}/ on http://127.0.0.1:`)
    const ingested = await evq(['ingest', 'logs', '-q', '-'], {
      directory: first,
      stdin: '{"n":1,"s":"one"}\n{"n":2,"s":"two"}\n',
    })
    expect(ingested).toMatchObject({ status: 0 })
    service.child.kill('SIGTERM')
    await service.ended
    expect(readdirSync(first).sort()).not.toContain('engine')

    const second = dataDirectory()
    const again = start(['serve', '--listen', '127.0.0.1:0', '--clickhouse', url], {
      directory: second,
    })
    await again.err.until(/ on http/)
    const query = ['query', "['logs'] | sort by n asc | project n, s", '-o', 'ndjson']
    expect(await evq(query, { directory: second })).toMatchObject({
      status: 0,
      stdout: '{"n":1,"s":"one"}\n{"n":2,"s":"two"}\n',
    })
    again.child.kill('SIGTERM')
    await again.ended
  })

  it('is used by the commands on its data directory, including those for tokens', async () => {
    const directory = dataDirectory()
    const flags = ['--clickhouse', url]
    const service = start(['serve', '--listen', '127.0.0.1:0', ...flags], { directory })
    const [, address = ''] = await service.err.until(/ on (http:\S+)\. /)
    const run = (...args: readonly string[]) => evqInProcess(args, { directory })

    const made = await run('token', 'create', 'reader', '--query', 'followed', ...flags)
    expect(made).toMatchObject({ status: 0 })
    expect((await run('token', 'list', '-o', 'csv', ...flags)).stdout).toMatch(/^reader,api,/m)
    const path = join(scratch, 'followed.ndjson')
    writeFileSync(path, '{"_time":"2020-01-01T00:00:00Z","n":1}\n{"n":2}\n')
    expect(await run('ingest', 'followed', path, '-q')).toMatchObject({ status: 0 })
    const asking = { EVQ_URL: address, EVQ_TOKEN: made.stdout.trim() }
    const count = ['query', "['followed'] | count", '-o', 'csv', '--since', '2000-01-01']
    const asked = () => evqInProcess(count, { directory, env: asking })
    expect(await asked()).toMatchObject({ stdout: 'Count\n2\n' })

    const replaced = await run('ingest', 'followed', path, '-l', 'v=2', '--replace')
    expect(replaced.stderr).toContain('2 events stored, replaced 2 events stored before')
    expect(await run(...count)).toMatchObject({ stdout: 'Count\n2\n' })

    const trimmed = await run('dataset', 'trim', 'followed', '--before', '2021-01-01', '--yes')
    expect(trimmed).toMatchObject({ status: 0 })
    expect(await run(...count)).toMatchObject({ stdout: 'Count\n1\n' })
    expect((await run('dataset', 'list', '-o', 'csv')).stdout).toMatch(/^followed,1,/m)
    const saved = await run('starred', 'create', '--name', 'mine', '--apl', "['followed'] | count")
    expect(saved).toMatchObject({ status: 0 })
    expect((await run('starred', 'list', '-o', 'csv')).stdout).toContain('mine')
    expect(await run('dataset', 'delete', 'followed', '--yes')).toMatchObject({ status: 0 })

    expect(await run('token', 'revoke', 'reader', ...flags)).toMatchObject({ status: 0 })
    // Another service of the same engine may accept it for one more second.
    await until(async () => (await asked()).status === 4, 'the token is denied')
    service.child.kill('SIGTERM')
    await service.ended

    expect(await run(...count)).toMatchObject({
      status: 1,
      stderr: `evq: The service on \`${directory}\` keeps its data in ClickHouse, and is not running. Start it with \`evq serve --clickhouse\`, choose another directory with \`--data-dir\`, or delete its file \`id\` to store data in the directory.\n`,
    })
    expect(await run('token', 'list')).toMatchObject({
      status: 2,
      stderr: `evq: The service on \`${directory}\` keeps its tokens in ClickHouse. Set the same \`--clickhouse <url>\` as for \`evq serve\`.\n`,
    })
  })

  it('warns that events in its data directory are not served', async () => {
    const directory = dataDirectory()
    await evqInProcess(['ingest', 'here', '-q', '-'], { directory, stdin: '{"n":1}\n' })
    const service = start(['serve', '--listen', '127.0.0.1:0', '--clickhouse', url], { directory })
    await service.err.until(/ on http/)
    expect(service.err.text()).toContain(
      'contains events, which are not served while the data is stored in ClickHouse.',
    )
    service.child.kill('SIGTERM')
    await service.ended
    const query = ['query', "['here'] | count", '-o', 'csv', '--since', '2000-01-01']
    const local = await evqInProcess(query, { directory })
    expect(local).toMatchObject({ status: 0, stdout: 'Count\n1\n' })
  })

  it('reports a rejected user', async () => {
    const config = configFile('user = "nobody"\npassword = "wrong"\n')
    const args = ['serve', '--listen', '127.0.0.1:0', '--clickhouse', url]
    const ended = await evqInProcess([...args, '--clickhouse-config', config], {
      directory: dataDirectory(),
    })
    expect(ended).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `evq: ClickHouse at \`${url}/\` rejects the user or the password. Set both in the file of \`--clickhouse-config\`.\n`,
    })
  })

  it("reports a server that can't be reached", async () => {
    const args = ['serve', '--listen', '127.0.0.1:0', '--clickhouse', 'http://127.0.0.1:1']
    const directory = dataDirectory()
    const ended = await evqInProcess(args, { directory })
    expect(ended.status).toBe(1)
    expect(readFileSync(join(directory, 'id'), 'utf8')).not.toContain('clickhouse')
    expect(ended.stderr).toBe(
      "evq: ClickHouse at `http://127.0.0.1:1/` can't be reached: 127.0.0.1:1: nothing listens there.\n",
    )
  })
})
