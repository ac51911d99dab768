import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { evq, start } from '../../support/evq.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { until } from '../../support/until.js'

const scratch = temporaryDirectory()
const started: number[] = []

// They run without the tests, for an hour if need be.
afterAll(() => {
  for (const id of started.filter(isRunning)) process.kill(id, 'SIGKILL')
})

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

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
    await count(['--keep-warm', '100ms'])
    const id = owner()
    await until(() => !isRunning(id), 'the service ends')
    expect(await count([])).toMatchObject(COUNTED)
  })

  it('makes way for a service that listens', async () => {
    const { directory, count, owner } = await filled('way')
    await count(['--keep-warm', '1h'])
    const id = owner()
    const service = start(['serve', '--listen', '127.0.0.1:0'], { directory })
    await service.err.until(/Serving .* on http/)
    await until(() => !isRunning(id), 'the service of the command ends')
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
    await service.err.until(/Serving .* to local commands/)
    expect(await count([])).toMatchObject(COUNTED)
    expect(owner()).toBe(service.child.pid)
    expect(await service.ended).toMatchObject({ status: 0, signal: null })
  })

  it('without an address has no port to write to a file', async () => {
    const directory = join(scratch, 'port')
    const ended = await evq(['serve', '--listen', 'none', '--port-file', 'port'], { directory })
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toContain('`--port-file` needs an address')
  })
})
