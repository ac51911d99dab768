import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { socketPath } from '../../../src/local/socket-path.js'
import { evq, start } from '../../support/evq.js'
import { isRunning } from '../../support/is-running.js'
import { metric } from '../../support/metric.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { until } from '../../support/until.js'

const root = join(import.meta.dirname, '../../..')
const scratch = temporaryDirectory()
const started: number[] = []

// They run without the tests, for an hour if need be.
afterAll(() => {
  for (const id of started.filter(isRunning)) process.kill(id, 'SIGKILL')
})

async function filled(name: string) {
  const directory = join(scratch, name)
  mkdirSync(directory)
  await evq(['ingest', 'logs', '-q'], { directory, stdin: '{"n":1}\n{"n":2}\n' })
  return {
    directory,
    count: (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      evq([...args, 'query', "['logs'] | count", '-q'], { directory, env, stdin: '' }),
    /** The process that serves the directory. */
    owner(): number {
      const id = Number(readFileSync(join(directory, 'lock'), 'utf8'))
      started.push(id)
      return id
    },
  }
}

/** Begins a request to the service of a directory as soon as there is one, which is not idle until the request is destroyed. */
async function unfinishedRequest(directory: string): Promise<ClientRequest> {
  const connected = () =>
    new Promise<ClientRequest | undefined>((resolve) => {
      const path = { socketPath: socketPath(directory), path: '/v1/ingest/logs' }
      const headers = { 'content-type': 'application/x-ndjson' }
      const outgoing = request({ ...path, headers, method: 'POST', agent: false })
      outgoing.on('error', () => resolve(undefined))
      outgoing.once('socket', (socket) => socket.once('connect', () => resolve(outgoing)))
      outgoing.write('{')
    })
  const outgoing = await until(connected, 'a service listens')
  const waiting = () => metric(directory, 'evq_ingest_requests_waiting')
  await until(async () => (await waiting()) === 1, 'a request is in progress')
  return outgoing
}

/** Copies the program, so that it can be updated. */
function copyOfProgram(): string {
  const program = join(scratch, 'program')
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(root, name), join(program, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'))
  return program
}

const COUNTED = { status: 0, stdout: '{"Count":2}\n', stderr: '' }

describe('--keep-warm', () => {
  it('leaves a service that later commands use', async () => {
    const { count, owner } = await filled('left')
    expect(await count(['--keep-warm', '1h'])).toEqual({ ...COUNTED, signal: null })
    const id = owner()
    expect(isRunning(id)).toBe(true)
    expect(await count([])).toMatchObject(COUNTED)
    expect(await count(['--keep-warm', '1h'])).toMatchObject(COUNTED)
    expect(owner()).toBe(id)
    expect(isRunning(id)).toBe(true)
  })

  it('can be set in the environment, which the flag overrides', async () => {
    const { count, owner } = await filled('set')
    await count(['--keep-warm', '0s'], { EVQ_KEEP_WARM: '1h' })
    expect(isRunning(owner())).toBe(false)
    await count([], { EVQ_KEEP_WARM: '1h' })
    expect(isRunning(owner())).toBe(true)
    const wrong = await count([], { EVQ_KEEP_WARM: 'long' })
    expect(wrong).toMatchObject({ status: 2, stdout: '' })
    expect(wrong.stderr).toContain('`EVQ_KEEP_WARM` takes a duration')
  })

  it('ends the service after the time without requests', async () => {
    const { count, owner } = await filled('ended')
    await count(['--keep-warm', '1s'])
    const id = owner()
    await until(() => !isRunning(id), 'the service ends')
    expect(await count([])).toMatchObject(COUNTED)
  })

  it('ends the service when the data directory was moved, which can be used at once', async () => {
    const { directory, count, owner } = await filled('before')
    await count(['--keep-warm', '1h'])
    const id = owner()
    const moved = join(scratch, 'after')
    renameSync(directory, moved)
    const args = ['query', "['logs'] | count", '-q']
    expect(await evq(args, { directory: moved, stdin: '' })).toMatchObject(COUNTED)
    await until(() => !isRunning(id), 'the service ends')
  })

  it('ends the service when the program was updated', async () => {
    const { directory, owner } = await filled('updated')
    const program = copyOfProgram()
    const child = spawn(
      process.execPath,
      [join(program, 'bin/evq.js'), '--keep-warm', '1h', 'query', "['logs'] | count", '-q'],
      { env: { PATH: process.env.PATH, EVQ_DATA_DIR: directory }, stdio: 'ignore' },
    )
    expect(await once(child, 'exit')).toEqual([0, null])
    const id = owner()
    expect(isRunning(id)).toBe(true)
    rmSync(join(program, 'dist'), { recursive: true })
    cpSync(join(root, 'dist'), join(program, 'dist'), { recursive: true })
    await until(() => !isRunning(id), 'the service ends')
  })

  it('makes way for a service that listens', async () => {
    const { directory, count, owner } = await filled('way')
    await count(['--keep-warm', '1h'])
    const id = owner()
    // The service that makes way gives it time to finish.
    const unfinished = await unfinishedRequest(directory)
    const service = start(['serve', '--listen', '127.0.0.1:0'], { directory })
    await service.err.until(/Serving .* on http/)
    await until(() => !isRunning(id), 'the service of the command ends')
    unfinished.destroy()
    expect(await count(['--keep-warm', '1h'])).toMatchObject(COUNTED)
    expect(owner()).toBe(service.child.pid)
    service.child.kill('SIGTERM')
    expect((await service.ended).status).toBe(0)
  })
})

describe('evq serve', () => {
  it('without an address serves local commands, until it was idle for the time', async () => {
    const { directory, count, owner } = await filled('none')
    const service = start(['serve', '--listen', 'none', '--idle', '2s'], { directory })
    const unfinished = await unfinishedRequest(directory)
    await service.err.until(/Serving .* to local commands/)
    expect(await count([])).toMatchObject(COUNTED)
    expect(owner()).toBe(service.child.pid)
    unfinished.destroy()
    expect(await service.ended).toMatchObject({ status: 0, signal: null })
  })

  it('without an address has no port to write to a file', async () => {
    const directory = join(scratch, 'port')
    const ended = await evq(['serve', '--listen', 'none', '--port-file', 'port'], { directory })
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toContain('`--port-file` needs an address')
  })

  it.each([
    ['--keep-warm', '5m', '--idle'],
    ['--url', 'http://127.0.0.1:4600', '--listen'],
  ])('refuses %s, a flag of other commands', async (flag, value, instead) => {
    const directory = join(scratch, 'refused')
    const ended = await evq(['serve', '--listen', 'none', flag, value], { directory })
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toContain(`does not use \`${flag}\`; \`${instead}\``)
  })
})
