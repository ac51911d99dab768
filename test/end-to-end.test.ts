import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { socketPath } from '../src/local/socket-path.js'
import { eventChunks, eventLine } from './support/events.js'
import { evq, start } from './support/evq.js'
import { evqInProcess } from './support/evq-in-process.js'
import { needs, needsRoot } from './support/needs.js'
import { programIn } from './support/program-in.js'
import { temporaryDirectory } from './support/temporary.js'
import { until } from './support/until.js'

const scratch = temporaryDirectory()
let directories = 0

describe('stored events', () => {
  it('are returned by a query without any configuration', async () => {
    const directory = dataDirectory()
    const lines = [
      '{"_time":"2026-01-01T00:00:00.000000001Z","level":"info","id":9007199254740993}',
      '{"_time":"2026-01-01T00:00:01Z","level":"error","id":-9223372036854775808}',
    ]
    const stored = await evq(['ingest', 'logs'], { directory, stdin: `${lines.join('\n')}\n` })
    expect(stored).toMatchObject({ status: 0, stdout: '' })
    expect(stored.stderr).toMatch(/2 events stored/)

    const response = await evq(['query', "['logs'] | project _time, level, id"], { directory })
    expect(response.status).toBe(0)
    expect(response.stdout).toBe(
      '{"_time":"2026-01-01T00:00:01Z","level":"error","id":-9223372036854775808}\n' +
        '{"_time":"2026-01-01T00:00:00.000000001Z","level":"info","id":9007199254740993}\n',
    )
  })

  it('have the counts that another program computes', async () => {
    const directory = dataDirectory()
    const count = 30_000
    const input = [...eventChunks(count)].join('')
    const expected = new Map<string, number>()
    for (let i = 0; i < count; i++) {
      const { level } = JSON.parse(eventLine(i)) as { level: string }
      expected.set(level, (expected.get(level) ?? 0) + 1)
    }
    expect(await evq(['ingest', 't'], { directory, stdin: input })).toMatchObject({ status: 0 })
    const { stdout } = await evqInProcess(['query', "['t'] | summarize count() by level"], {
      directory,
    })
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(new Map(rows.map((row) => [row.level, row.count_]))).toEqual(expected)
  })

  it('are all in the rejects file when they are invalid', async () => {
    const directory = dataDirectory()
    const lines = Array.from({ length: 9_000 }, (_, i) => (i % 2 ? `{bad ${i}` : `{"n":${i}}`))
    const path = file('many-bad.ndjson', `${lines.join('\n')}\n`)
    const rejects = join(scratch, 'many-bad.rejects')
    const { status } = await evqInProcess(['ingest', 'd', path, '--rejects', rejects], {
      directory,
    })
    expect(status).toBe(3)
    const rejected = readFileSync(rejects, 'utf8').trimEnd().split('\n')
    expect(rejected.map((line) => JSON.parse(line).event)).toEqual(
      lines.filter((line) => line.startsWith('{bad')),
    )
  })

  it('come from NDJSON, a JSON array and CSV alike', async () => {
    const directory = dataDirectory()
    const ndjson = file('a.ndjson', '{"n":1,"s":"x, \\"y\\""}\n{"n":2,"s":"line\\nbreak"}\n')
    const array = file('b.json', '[{"n":1,"s":"x, \\"y\\""},\n {"n":2,"s":"line\\nbreak"}]')
    const csv = file('c.csv', 'n,s\r\n1,"x, ""y"""\r\n2,"line\nbreak"\r\n')
    expect(await evqInProcess(['ingest', 'd', ndjson, array, csv], { directory })).toMatchObject({
      status: 0,
    })
    const { stdout } = await evqInProcess(
      ['query', "['d'] | summarize count() by n, s | sort by n asc"],
      {
        directory,
      },
    )
    expect(stdout).toBe(
      '{"n":1,"s":"x, \\"y\\"","count_":3}\n{"n":2,"s":"line\\nbreak","count_":3}\n',
    )
  })

  it('are counted separately from rejected ones', async () => {
    const directory = dataDirectory()
    const input = '{"n":1}\n{not json\n{"n":2}\n[3]\n{"n":4,"_time":"someday"}\n'
    const ended = await evq(['ingest', 'logs', file('mixed.ndjson', input)], { directory })
    expect(ended.status).toBe(3)
    expect(ended.stderr).toMatch(/mixed\.ndjson:2/)
    expect(ended.stderr).toMatch(/mixed\.ndjson: 1 event .* stored as `message`.*Line 4: \[3\]/)
    expect(ended.stderr).toMatch(/mixed\.ndjson:5/)
    expect(ended.stderr).toMatch(/3 events stored, 2 rejected/)
    expect(await count(directory, 'logs')).toBe(3)
  })
})

describe('two programs on one data directory', () => {
  it('work at the same time', async () => {
    const directory = dataDirectory()
    const pipe = new PassThrough()
    const follower = start(['ingest', 't', '--flush-every', '100ms'], { directory, stdin: pipe })
    pipe.write('{"n":0}\n')
    await holds(directory, 1)

    const second = await evq(['ingest', 't'], { directory, stdin: '{"n":1}\n{"n":2}\n' })
    expect(second).toMatchObject({ status: 0 })
    expect(await count(directory)).toBe(3)

    pipe.end('{"n":3}\n')
    expect(await follower.ended).toMatchObject({ status: 0 })
    expect(await count(directory)).toBe(4)
  })

  it('continue when the one that opened it is killed', async () => {
    const directory = dataDirectory()
    const owner = start(['ingest', 't', '--flush-every', '50ms'], { directory })
    owner.stdin.write('{"from":"owner","n":0}\n')
    await holds(directory, 1)

    const other = start(['ingest', 't', '--flush-every', '50ms'], { directory })
    other.stdin.write('{"from":"other","n":0}\n')
    await holds(directory, 2)

    owner.child.kill('SIGKILL')
    await owner.ended
    other.stdin.end('{"from":"other","n":1}\n')
    expect(await other.ended).toMatchObject({ status: 0 })
    expect(await count(directory)).toBe(3)
  })

  it('all succeed when ten start at once', async () => {
    const directory = dataDirectory()
    const runs = Array.from({ length: 10 }, (_, n) =>
      evq(['ingest', 't'], { directory, stdin: `{"n":${n}}\n` }),
    )
    for (const ended of await Promise.all(runs)) expect(ended).toMatchObject({ status: 0 })
    const apl = "['t'] | summarize count(), dcount(n)"
    const { stdout } = await evqInProcess(['query', apl], { directory })
    expect(stdout).toBe('{"count_":10,"dcount_n":10}\n')
  })
})

describe('an error', () => {
  const directory = dataDirectory()
  const { run } = programIn(directory)
  beforeAll(async () => {
    expect(await run(['ingest', 'logs'], '{"status":200}\n')).toMatchObject({ status: 0 })
  })

  it('in a field name is marked, with the nearest name', async () => {
    const ended = await evq(['query', "['logs'] | where statsu >= 500"], { directory })
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toContain(`1 | ['logs'] | where statsu >= 500\n`)
    expect(ended.stderr).toMatch(/\^{6}.*`status`/)
    expect(ended.stderr).not.toMatch(/\bat .*\.js/)
  })

  it('in a string is marked at its start', async () => {
    const ended = await run(['query', `['logs'] | where a == "b`])
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toContain('^')
  })

  it('in a dataset name suggests the nearest dataset', async () => {
    const ended = await run(['query', "['lgos'] | count"])
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toContain('logs')
  })

  it('in a file name fails, and the other files are stored', async () => {
    const good = file('good.ndjson', '{"n":1}\n')
    const ended = await evq(['ingest', 'good', join(scratch, 'missing.ndjson'), good], {
      directory,
    })
    expect(ended).toMatchObject({ status: 1, stdout: '' })
    expect(ended.stderr).toContain('missing.ndjson')
    expect(await count(directory, 'good')).toBe(1)
  })

  it('such as a directory instead of a file is reported', async () => {
    const ended = await run(['ingest', 'logs', scratch])
    expect(ended).toMatchObject({ status: 1, stdout: '' })
    expect(ended.stderr).toMatch(/directory/)
  })

  it('in a flag exits with 2', async () => {
    const ended = await evq(['query', '--wibble', 'x'], { directory })
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toContain('--wibble')
  })
})

it('input is queried for a user without a name, as in a container', needsRoot, async () => {
  const ended = await evq(['query', 'count'], {
    directory: '/tmp/evq-of-nobody',
    stdin: '{"n":1}\n',
    spawn: { uid: 54_321, gid: 54_321 },
    // Only root can enter the directories of the tests.
    env: { TMPDIR: '/tmp', HOME: '/tmp/evq-of-nobody' },
  })
  expect(ended).toMatchObject({ status: 0, stdout: '{"Count":1}\n' })
})

describe('an unavailable place', () => {
  it('such as a port in use is reported', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const address = taken.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const listen = `127.0.0.1:${address.port}`
    const ended = await evq(['serve', '--listen', listen], { directory: dataDirectory() })
    taken.close()
    expect(ended).toMatchObject({ status: 1, stdout: '' })
    expect(ended.stderr).toContain(String(address.port))
  })

  it('such as a data directory below a file is reported', async () => {
    const directory = join(file('plain', 'text'), 'data')
    const ended = await evq(['ingest', 'logs'], { directory, stdin: '{"n":1}\n' })
    expect(ended).toMatchObject({ status: 1, stdout: '' })
    expect(ended.stderr).toContain(directory)
  })

  it('such as a data directory of another user is reported', needsRoot, async () => {
    const directory = dataDirectory()
    mkdirSync(directory, { mode: 0o700 })
    const ended = await evq(['ingest', 'logs'], {
      directory,
      stdin: '{"n":1}\n',
      spawn: { uid: 65534, gid: 65534 },
    })
    expect(ended).toMatchObject({ status: 1, stdout: '' })
    expect(ended.stderr).toContain(directory)
  })

  it(
    'such as a full disk is reported, and no stored event is lost',
    needs(canMount(), 'the right to mount a file system'),
    async () => {
      const mount = join(scratch, 'small-disk')
      mkdirSync(mount)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=90m', 'tmpfs', mount])
      try {
        const directory = join(mount, 'data')
        const before = await evq(['ingest', 't'], { directory, stdin: '{"n":1}\n{"n":2}\n' })
        expect(before).toMatchObject({ status: 0 })
        // In addition to the 64 MiB that are reserved, 8 MiB are left: the flood needs more, also compressed.
        const { bavail, bsize } = statfsSync(mount)
        writeFileSync(join(mount, 'ballast'), Buffer.alloc(bavail * bsize - 72 * 1024 * 1024))
        const flood = Array.from(
          { length: 20_000 },
          (_, n) => `{"n":${n},"text":"${randomBytes(750).toString('base64')}"}\n`,
        ).join('')
        const ended = await evq(['ingest', 't'], { directory, stdin: flood })
        expect([1, 3]).toContain(ended.status)
        expect(ended.stderr).toMatch(/space|full/)
        expect(ended.stderr).not.toMatch(/DB::Exception|\bat .*\.js/)
        const stored = Number(
          ended.stderr.match(/([\d,]+) events stored/)?.[1]?.replaceAll(',', '') ?? 0,
        )
        expect(await count(directory)).toBe(2 + stored)
      } finally {
        execFileSync('umount', ['-l', mount])
      }
    },
  )
})

describe('a deployment on TCP', () => {
  it('accepts events and queries only with its token', async () => {
    const directory = dataDirectory()
    const portFile = join(scratch, 'port')
    const service = start(['serve', '--listen', '127.0.0.1:0', '--port-file', portFile], {
      directory,
    })
    const token = (await service.err.until(/(xapt-[\w-]+)/))[1]!
    const url = (await service.err.until(/(http:\/\/127\.0\.0\.1:\d+)/))[1]!
    const elsewhere = dataDirectory()
    const remote = { EVQ_URL: url, EVQ_TOKEN: token }

    const stored = await evq(['ingest', 'logs'], {
      directory: elsewhere,
      stdin: '{"n":1}\n',
      env: remote,
    })
    expect(stored).toMatchObject({ status: 0 })
    const response = await evq(['query', "['logs'] | count"], { directory: elsewhere, env: remote })
    expect(response).toMatchObject({ status: 0, stdout: '{"Count":1}\n' })

    const denied = await evq(['query', "['logs'] | count"], {
      directory: elsewhere,
      env: { EVQ_URL: url, EVQ_TOKEN: 'xapt-wrong' },
    })
    expect(denied).toMatchObject({ status: 4, stdout: '' })

    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ status: 0 })
    expect(await count(directory, 'logs')).toBe(1)
  })
})

describe('a closed pipe', () => {
  it('is success', async () => {
    const directory = dataDirectory()
    await evqInProcess(['ingest', 't'], { directory, stdin: [...eventChunks(50_000)].join('') })
    const query = start(['query', "['t'] | limit 50000"], { directory })
    await query.out.until(/\n/)
    query.child.stdout?.destroy()
    expect((await query.ended).status).toBe(0)
  })
})

describe('a file that grows while it is ingested', () => {
  it('is stored line by line through tail -f', async () => {
    const directory = dataDirectory()
    const path = file('growing.ndjson', '{"n":1}\n')
    const shell = `tail -n +1 -f '${path}' | '${process.execPath}' bin/evq.js ingest t --flush-every 100ms`
    const { spawn } = await import('node:child_process')
    const child = spawn('sh', ['-c', `exec 2>/dev/null; ${shell}`], {
      cwd: join(import.meta.dirname, '..'),
      env: { PATH: process.env.PATH, EVQ_DATA_DIR: directory },
      detached: true,
    })
    try {
      await holds(directory, 1)
      appendFileSync(path, '{"n":2}\n{"n":3}\n')
      await holds(directory, 3)
    } finally {
      process.kill(-child.pid!, 'SIGKILL')
    }
    expect(await count(directory)).toBe(3)
  })
})

function dataDirectory(): string {
  directories += 1
  return join(scratch, `data-${directories}`)
}

function file(name: string, content: string): string {
  const path = join(scratch, name)
  writeFileSync(path, content)
  return path
}

async function count(directory: string, dataset = 't'): Promise<number> {
  const { stdout } = await evqInProcess(['query', `['${dataset}'] | count`], { directory })
  return stdout === '' ? 0 : (JSON.parse(stdout) as { Count: number }).Count
}

/** Waits until a data directory has this number of events. */
async function holds(directory: string, events: number): Promise<void> {
  // Otherwise the first check would open the directory in this process.
  await until(() => existsSync(socketPath(directory)), 'another process serves the directory')
  await until(async () => (await count(directory)) === events, `${events} events are stored`)
}

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
