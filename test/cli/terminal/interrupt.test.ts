import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, type Received, scriptedService, stored } from '../../client/scripted-service.js'
import { start } from '../../support/evq.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { until } from '../../support/until.js'

const directory = temporaryDirectory()
const oneByOne = ['--batch-size', '1', '--flush-every', '1h', '--concurrency', '1']

/** A service that stores events, and holds its responses back until it is released. */
async function holdingService(isHeld: (request: number) => boolean = () => true) {
  const pending: (() => void)[] = []
  let holds = true
  const service = await scriptedService((response: ServerResponse, request: Received) => {
    const respond = () => stored(response, request)
    if (holds && isHeld(service.received.length)) pending.push(respond)
    else respond()
  })
  return {
    ...service,
    bodies: () => service.received.map(({ body }) => body.toString()),
    release() {
      holds = false
      for (const respond of pending.splice(0)) respond()
    },
  }
}

function lines(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `{"n":${n}}\n`)
}

describe('a signal to evq ingest', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    'waits for requests in flight, starts no others, and ends by %s',
    async (name) => {
      const service = await holdingService()
      const file = join(directory, `${name}.ndjson`)
      writeFileSync(file, lines(12).join(''))
      const ingest = () =>
        start(['ingest', 'logs', file, ...oneByOne], { directory, env: { EVQ_URL: service.url } })
      const evq = ingest()
      await until(() => service.received.length === 1, 'a request is in flight')
      evq.child.kill(name)
      await evq.err.until(/^Waiting for 1 batch in flight; press Ctrl-C again to quit now\.\n/)
      service.release()
      const { status, signal, stderr } = await evq.ended
      expect({ status, signal }).toEqual({ status: null, signal: name })
      expect(stderr).toMatch(
        /\nThe same command sends the rest\.\nlogs: 1 event stored, \d+ not sent, /,
      )
      expect(service.bodies()).toEqual(['{"n":0}\n'])
      // The same command sends the rest.
      expect(await ingest().ended).toMatchObject({ status: 0 })
      expect(service.bodies()).toEqual(lines(12))
    },
  )

  it('waits for the response of each batch in flight', async () => {
    const service = await holdingService((request) => request > 1)
    const options = { directory, env: { EVQ_URL: service.url }, stdin: lines(50).join('') }
    const evq = start(['ingest', 'logs', ...oneByOne, '--concurrency', '3'], options)
    await until(() => service.received.length === 4, 'three requests are in flight')
    evq.child.kill('SIGINT')
    await evq.err.until(/^Waiting for 3 batches in flight; /)
    service.release()
    const { signal, stderr } = await evq.ended
    expect(signal).toBe('SIGINT')
    expect(stderr).toMatch(/\nlogs: 4 events stored, \d+ not sent, /)
    expect(service.received.length).toBe(4)
  })

  it('does not split a batch that is refused afterwards', async () => {
    let respond = () => {}
    const { url, received } = await scriptedService((response, request) => {
      respond = () => json({ message: 'Some event is bad.' }, 400)(response, request)
    })
    const evq = start(['ingest', 'logs'], { directory, env: { EVQ_URL: url } })
    evq.stdin.end(lines(8).join(''))
    await until(() => received.length === 1, 'a request is in flight')
    evq.child.kill('SIGINT')
    await evq.err.until(/^Waiting for 1 batch/)
    respond()
    const { signal, stderr } = await evq.ended
    expect(signal).toBe('SIGINT')
    expect(stderr).toContain('\nlogs: 0 events stored, 8 not sent, ')
    expect(received.length).toBe(1)
  })

  it('sends no partial line', async () => {
    const { url, received } = await scriptedService(stored)
    const evq = start(['ingest', 'logs', ...oneByOne], { directory, env: { EVQ_URL: url } })
    evq.stdin.write('{"n":1}\n{"n":2}\n{"n":')
    await until(() => received.length === 2, 'both lines are received')
    evq.child.kill('SIGINT')
    const { signal, stderr } = await evq.ended
    expect(signal).toBe('SIGINT')
    expect(received.map(({ body }) => body.toString())).toEqual(['{"n":1}\n', '{"n":2}\n'])
    // The second response may be read after the signal.
    expect(stderr).toMatch(/^(?:Waiting for 1 batch in flight.*\n)?logs: 2 events stored/)
  })

  it('sends no partial line when the signal also ends the writer', async () => {
    const { url, received } = await scriptedService(stored)
    const args = ['ingest', 'logs', '--flush-every', '20ms']
    const evq = start(args, { directory, env: { EVQ_URL: url } })
    evq.stdin.write('{"n":1}\n12')
    await until(() => received.length > 0, 'a request is received')
    evq.stdin.end()
    evq.child.kill('SIGINT')
    expect((await evq.ended).signal).toBe('SIGINT')
    expect(received.map(({ body }) => body.toString())).toEqual(['{"n":1}\n'])
  })

  it('ends the program at once when it is the second', async () => {
    const service = await holdingService()
    const evq = start(['ingest', 'logs'], { directory, env: { EVQ_URL: service.url } })
    evq.stdin.end('{"n":1}\n')
    await until(() => service.received.length > 0, 'a request is received')
    evq.child.kill('SIGINT')
    await evq.err.until(/Waiting for 1 batch in flight/)
    expect(evq.child.exitCode).toBe(null)
    evq.child.kill('SIGINT')
    const { signal, stderr } = await evq.ended
    expect(signal).toBe('SIGINT')
    expect(stderr).not.toContain('stored')
  })
})
