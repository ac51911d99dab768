import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, request as sendOn } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KillableService } from '../../../kill/service.js'
import { evqInProcess } from '../../../support/evq-in-process.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const scratch = temporaryDirectory()
let service: KillableService
let gateway: Awaited<ReturnType<typeof openGateway>>
let scenes = 0

beforeAll(async () => {
  service = await KillableService.start(join(scratch, 'served'))
  gateway = await openGateway(service.env.EVQ_URL ?? '')
})

afterAll(async () => {
  await gateway.close()
  await service.stop()
})

/** Events with two times, `first` in 2001 and `second` in 2002. */
const EVENTS = [1, 2, 3]
  .map((n) => `{"n":${n},"first":"2001-01-0${n}T00:00:00Z","second":"2002-01-0${n}T00:00:00Z"}\n`)
  .join('')

describe('--replace', () => {
  it('removes exactly what the file stored before, and sends it with the other options', async () => {
    const { file, ingest, rows } = await scene(EVENTS)
    const other = `${file}.other.ndjson`
    writeFileSync(other, EVENTS)
    await ingest([file, other], '--timestamp-field', 'first')
    const asked = await ingest([file], '--timestamp-field', 'second')
    expect(asked).toMatchObject({
      status: 2,
      stderr: `evq: \`${file}\` was sent with \`--timestamp-field first\` before, not with \`--timestamp-field second\`. \`--replace\` removes the events stored then and sends it again; \`--no-checkpoint\` sends it again without removing them.\n`,
    })
    const replaced = await ingest([file], '--timestamp-field', 'second', '--replace')
    expect(replaced.status).toBe(0)
    expect(replaced.stderr).toMatch(
      /^logs-\d+: 3 events stored, replaced 3 events stored before, 213 B in .*\n$/,
    )
    // Those of the other file are equal to what was removed.
    expect(await rows('n, year = datetime_part("year", _time)')).toEqual([
      '{"n":1,"year":2001}',
      '{"n":2,"year":2001}',
      '{"n":3,"year":2001}',
      '{"n":1,"year":2002}',
      '{"n":2,"year":2002}',
      '{"n":3,"year":2002}',
    ])
    const again = await ingest([file], '--timestamp-field', 'second')
    expect(again.stderr).toContain('has no new events: its 3 events were sent before.')
  })

  it('sends the file again in another format, or as it was sent before', async () => {
    const { file, ingest, rows } = await scene(EVENTS)
    await ingest([file], '--timestamp-field', 'first')
    const asked = await ingest([file], '--timestamp-field', 'first', '-i', 'text')
    expect(asked.status).toBe(2)
    expect(asked.stderr).toContain('was sent as `ndjson` before, not as `-i text`. `--replace` ')
    for (let run = 0; run < 2; run++) {
      const again = await ingest([file], '--timestamp-field', 'first', '--replace')
      expect(again.stderr).toContain('3 events stored, replaced 3 events stored before')
      expect(await rows('n')).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
    }
    await ingest([file], '-i', 'text', '--replace')
    expect(await rows('n = isnull(n), message = strlen(message)')).toEqual(
      Array(3).fill('{"n":true,"message":70}'),
    )
  })

  it('only sends a file that was not sent before', async () => {
    const { file, ingest, rows } = await scene(EVENTS)
    const { status, stderr } = await ingest([file], '--replace')
    expect(status).toBe(0)
    expect(stderr).toMatch(/: 3 events stored, 213 B in /)
    expect(await rows('n')).toHaveLength(3)
  })

  it('removes all batches of several runs of a file that has grown', async () => {
    const { file, ingest, rows, checkpoint } = await scene(EVENTS)
    for (let run = 0; run < 3; run++) {
      await ingest([file], '--batch-size', '1', '--timestamp-field', 'first')
      appendFileSync(file, EVENTS)
    }
    expect(await rows('n')).toHaveLength(9)
    // The ids of settled batches are kept as a range per run.
    const ids = checkpoint().find(({ kind }) => kind === 'sent')?.ids
    expect(ids.map(([, ...numbers]: readonly unknown[]) => numbers)).toEqual([
      [1, 3],
      [1, 3],
    ])
    const { stderr } = await ingest([file], '--replace', '--timestamp-field', 'second')
    expect(stderr).toContain('12 events stored, replaced 9 events stored before')
    expect(await rows('n')).toHaveLength(12)
  })

  it('replaces the events of a file whose content has changed', async () => {
    const { file, ingest, rows } = await scene(EVENTS)
    await ingest([file])
    writeFileSync(file, '{"n":7}\n')
    const { stderr } = await ingest([file], '--replace')
    expect(stderr).toContain('1 event stored, replaced 3 events stored before')
    expect(await rows('n')).toEqual(['{"n":7}'])
  })

  it('removes the events of a file that an empty file takes the place of', async () => {
    const { file, ingest, rows } = await scene(EVENTS)
    const other = `${file}.other.ndjson`
    writeFileSync(other, '{"n":4}\n')
    await ingest([file, other])
    renameSync(file, file.replace(/ndjson$/, 'txt'))
    writeFileSync(file, '')
    const removed = await ingest([file], '--replace')
    expect(removed.status).toBe(0)
    expect(removed.stderr).toContain('0 events stored, none were found, replaced 3 events')
    expect(await rows('n')).toEqual(['{"n":4}'])
  })

  it('is refused for a file that was rotated, whose events would be lost', async () => {
    const { file, ingest, rows } = await scene(EVENTS)
    await ingest([file])
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":7}\n')
    const { status, stderr } = await ingest([file], '--replace')
    expect(status).toBe(1)
    expect(stderr).toBe(
      `evq: \`${file}\` was rotated: the events that were sent are in \`${file}.1\` now, so \`--replace\` would remove events that \`${file}\` does not contain. Nothing was changed. Without \`--replace\`, its new content is sent.\n`,
    )
    expect(await rows('n')).toHaveLength(3)
  })

  it('replaces the events that a file had under its earlier name, and no others', async () => {
    const { file, ingest, rows } = await scene('{"n":1}\n')
    await ingest([file])
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":2}\n')
    await ingest([file])
    const third = `${file}.2`
    renameSync(`${file}.1`, third)
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":3}\n')
    await ingest([file, `${file}.1`, third])
    expect(await rows('n')).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
    for (const v of ['2', '3']) {
      const { stderr } = await ingest([third], '--replace', '-l', `v=${v}`)
      expect(stderr).toContain('1 event stored, replaced 1 event stored before')
    }
    expect([...(await rows('n, v'))].sort()).toEqual([
      '{"n":1,"v":"3"}',
      '{"n":2,"v":null}',
      '{"n":3,"v":null}',
    ])
  })

  it('replaces events that were stored without a response, and batches that were split', async () => {
    const { file, ingest, rows } = await scene(EVENTS)
    gateway.handle = ({ url }) => (url.includes('/ingest/') ? 'cut after' : 'forward')
    expect((await ingest([file])).status).toBe(1)
    gateway.handle = () => 'forward'
    expect(await rows('n')).toHaveLength(3)
    // Only single events pass: they are parts of the batch with ids of their own.
    gateway.handle = ({ url, bytes }) => (url.includes('/ingest/') && bytes > 100 ? 413 : 'forward')
    const split = await ingest([file], '--replace', '-l', 'v=2')
    expect(split.stderr).toContain('3 events stored, replaced 3 events stored before')
    expect(await rows('n, v')).toEqual([1, 2, 3].map((n) => `{"n":${n},"v":"2"}`))
    gateway.handle = () => 'forward'
    const whole = await ingest([file], '--replace', '-l', 'v=3')
    expect(whole.stderr).toContain('3 events stored, replaced 3 events stored before')
    expect(await rows('n, v')).toEqual([1, 2, 3].map((n) => `{"n":${n},"v":"3"}`))
  })

  it.each(['cut before', 'cut after'] as const)(
    'is finished by the same command after a failed removal (%s), without the flag too',
    async (mishap) => {
      const { file, ingest, rows } = await scene(EVENTS)
      await ingest([file], '-l', 'v=1')
      let removals = 0
      gateway.handle = ({ url }) => {
        if (!url.endsWith('/_batches/remove')) return 'forward'
        removals += 1
        return removals > 1 ? mishap : 'forward'
      }
      const failed = await ingest([file], '-l', 'v=2', '--replace')
      expect(failed.status).toBe(1)
      expect(failed.stderr).toContain('evq: The events stored before could not be removed: ')
      expect(failed.stderr).toContain(' The same command removes the rest and sends the file.\n')
      expect(await rows('v')).toEqual(mishap === 'cut before' ? Array(3).fill('{"v":"1"}') : [])
      gateway.handle = () => 'forward'
      const { status, stderr } = await ingest([file], '-l', 'v=2')
      expect(status).toBe(0)
      expect(stderr).toContain('3 events stored, replaced 3 events stored before')
      expect(await rows('v')).toEqual(Array(3).fill('{"v":"2"}'))
    },
  )

  it('changes nothing at a deployment that does not remove batches', async () => {
    for (const status of [404, 405, 501]) {
      const { file, dataset, ingest, rows, checkpoint } = await scene(EVENTS)
      await ingest([file], '-l', 'v=1')
      const before = checkpoint()
      gateway.handle = ({ url }) => (url.endsWith('/_batches/remove') ? status : 'forward')
      const refused = await ingest([file], '-l', 'v=2', '--replace')
      gateway.handle = () => 'forward'
      expect(refused).toMatchObject({
        status: 1,
        stderr: `evq: \`${gateway.url}\` can't remove the events of a file, so \`--replace\` is not possible. Nothing was changed. \`evq dataset delete ${dataset}\` deletes the whole dataset, where the deployment supports it; \`--no-checkpoint\` sends the file again without removing its events.\n`,
      })
      expect(checkpoint()).toEqual(before)
      expect(await rows('v')).toEqual(Array(3).fill('{"v":"1"}'))
      expect((await ingest([file], '-l', 'v=1')).stderr).toContain('has no new events')
    }
  })

  it('changes nothing with a token that may only ingest', async () => {
    const { file, dataset, ingest, rows } = await scene(EVENTS)
    await ingest([file], '-l', 'v=1')
    const args = ['token', 'create', dataset, '--ingest', dataset]
    const { stdout } = await evqInProcess(args, { directory: join(scratch, 'served') })
    const token = { EVQ_TOKEN: stdout.trim() }
    const { status, stderr } = await ingest.with(token, [file], '-l', 'v=2', '--replace')
    expect(status).toBe(4)
    expect(stderr).toBe(
      `evq: The events stored before could not be removed: The token \`${dataset}\` does not allow this request, which requires a personal token. Nothing was changed.\n`,
    )
    expect(await rows('v')).toEqual(Array(3).fill('{"v":"1"}'))
  })

  it.each([
    [['--follow'], "`--replace` can't be used with `--follow`."],
    [['--no-checkpoint'], "it can't be used with `--no-checkpoint`."],
    [['--check'], "`--check` sends nothing, so it can't be used with `--replace`."],
    [['--dry-run'], "`--dry-run` sends nothing, so it can't be used with `--replace`."],
    [['-'], '`--replace` takes files. It is not known what was stored from standard input before.'],
  ])('is refused with %s', async (args, message) => {
    const { file, ingest } = await scene(EVENTS)
    const { status, stderr } = await ingest([file], '--replace', ...args)
    expect(status).toBe(2)
    expect(stderr).toContain(message)
  })

  it('sends what a restored copy of the data directory lacks', async () => {
    const directory = join(scratch, 'restored')
    const file = join(scratch, 'restored.ndjson')
    const run = (...args: readonly string[]) => evqInProcess(args, { directory })
    writeFileSync(file, '{"n":1}\n{"n":2}\n')
    await run('ingest', 'logs', file)
    cpSync(directory, `${directory}.copy`, { recursive: true })
    appendFileSync(file, '{"n":3}\n')
    await run('ingest', 'logs', file)
    rmSync(directory, { recursive: true })
    renameSync(`${directory}.copy`, directory)
    expect((await run('ingest', 'logs', file)).stderr).toContain('has no new events')
    expect((await run('ingest', 'logs', file, '--replace')).status).toBe(0)
    const { stdout } = await run('query', 'logs | project n | sort by n asc')
    expect(stdout).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
  })

  it('is refused with --retry and for a pipe', async () => {
    const { file, ingest } = await scene(EVENTS)
    const retry = await ingest([], '--retry', file, '--replace')
    expect(retry.status).toBe(2)
    expect(retry.stderr).toContain('It takes the files that were sent, not a rejects file.')
    const pipe = `${file}.pipe`
    execFileSync('mkfifo', [pipe])
    // The program may end before it has read the pipe.
    const written = writeFile(pipe, EVENTS).catch(() => {})
    const [piped] = await Promise.all([ingest([pipe], '--replace'), written])
    expect(piped.status).toBe(1)
    expect(piped.stderr).toContain('is not a regular file. `--replace` takes files, because only')
  })
})

/** A file and a dataset of their own, at the service behind the gateway. */
async function scene(content: string) {
  scenes += 1
  const dataset = `logs-${scenes}`
  const file = join(scratch, `${scenes}.ndjson`)
  writeFileSync(file, content)
  const state = join(scratch, `state-${scenes}`)
  const env = { ...service.env, EVQ_URL: gateway.url, XDG_STATE_HOME: state }
  const run = (more: object, files: readonly string[], flags: readonly string[]) =>
    evqInProcess(['ingest', dataset, ...files, ...flags], {
      directory: scratch,
      env: { ...env, ...more },
      stdin: '',
    })
  const ingest = Object.assign(
    (files: readonly string[], ...flags: readonly string[]) => run({}, files, flags),
    {
      with: (more: object, files: readonly string[], ...flags: readonly string[]) =>
        run(more, files, flags),
    },
  )
  const folder = join(state, 'evq', 'checkpoints')
  const checkpointPath = () =>
    join(folder, readdirSync(folder).find((one) => one.endsWith('.ndjson'))!)
  return {
    dataset,
    file,
    ingest,
    checkpointPath,
    checkpoint: () =>
      readFileSync(checkpointPath(), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    /** Returns the rows of a projection, by time and number. */
    async rows(columns: string): Promise<readonly string[]> {
      const apl = `['${dataset}'] | sort by _time asc, n asc | project ${columns}`
      const args = ['query', apl, '-o', 'ndjson', '--since', '2000-01-01']
      const { stdout, stderr, status } = await evqInProcess(args, {
        directory: scratch,
        env: service.env,
      })
      if (status !== 0) throw new Error(stderr)
      return stdout.split('\n').slice(0, -1)
    },
  }
}

/** The outcome of a request: `cut` closes the connection before or after the service has handled it. */
type Handling = 'forward' | 'cut before' | 'cut after' | number

/** A gateway on loopback in front of a service. */
async function openGateway(target: string) {
  const gateway = {
    url: '',
    handle: (_: { readonly url: string; readonly bytes: number }): Handling => 'forward',
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    // The client is gone.
    if (body === undefined) return
    const { url = '', method, headers } = request
    const handling = gateway.handle({ url, bytes: body.length })
    if (typeof handling === 'number') {
      response.writeHead(handling).end()
      return
    }
    if (handling === 'cut before') return void request.socket.destroy()
    const onward = sendOn(new URL(url, target), { method, headers }, (answer) => {
      if (handling === 'cut after') {
        answer.resume().on('end', () => request.socket.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => request.socket.destroy())
    onward.end(body)
  })
  // Otherwise a process that stood still for five seconds would cut the connection that it is about to use.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  gateway.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return gateway
}
