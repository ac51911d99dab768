import { describe, expect, it } from 'vitest'
import { scriptedService, silent, stored } from '../client/scripted-service.js'
import { start } from '../support/evq.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const directory = temporaryDirectory()

describe('Ctrl-C', () => {
  it('sends the whole lines, never half a one, and says what is stored', async () => {
    const { url, received } = await scriptedService(stored)
    const evq = start(['ingest', 'logs', '--flush-every', '1h', '--batch-size', '1'], {
      directory,
      env: { EVQ_URL: url },
    })
    evq.stdin.write('{"n":1}\n{"n":2}\n{"n":')
    await until(() => received.length > 0, 'a request is received')
    evq.child.kill('SIGINT')
    const { status, stderr } = await evq.ended
    expect(status).toBe(130)
    expect(received.map(({ body }) => body.toString())).toEqual(['{"n":1}\n', '{"n":2}\n'])
    expect(stderr).toMatch(/^logs: 2 events stored/)
  })

  it('that ends the writer as well does not make its last half line an event', async () => {
    const { url, received } = await scriptedService(stored)
    const evq = start(['ingest', 'logs', '--flush-every', '20ms'], {
      directory,
      env: { EVQ_URL: url },
    })
    evq.stdin.write('{"n":1}\n12')
    await until(() => received.length > 0, 'a request is received')
    evq.stdin.end()
    evq.child.kill('SIGINT')
    expect((await evq.ended).status).toBe(130)
    expect(received.map(({ body }) => body.toString())).toEqual(['{"n":1}\n'])
  })

  it('for the second time leaves at once', async () => {
    const { url, received } = await scriptedService(silent)
    const evq = start(['ingest', 'logs'], { directory, env: { EVQ_URL: url } })
    evq.stdin.end('{"n":1}\n')
    await until(() => received.length > 0, 'a request is received')
    evq.child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(evq.child.exitCode).toBe(null)
    evq.child.kill('SIGINT')
    expect((await evq.ended).signal).toBe('SIGINT')
  })
})

describe('SIGTERM', () => {
  it('ends in good order too, with its own code', async () => {
    const { url, received } = await scriptedService(stored)
    const args = ['ingest', 'logs', '--flush-every', '20ms']
    const evq = start(args, { directory, env: { EVQ_URL: url } })
    evq.stdin.write('{"n":1}\n')
    await until(() => received.length > 0, 'a request is received')
    evq.child.kill('SIGTERM')
    const { status, stderr } = await evq.ended
    expect(status).toBe(143)
    expect(stderr).toMatch(/1 event stored/)
  })
})
