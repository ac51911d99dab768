import { expect, it } from 'vitest'
import { releasedWhenIdle } from '../../../src/cli/connection/released-when-idle.js'
import type { HttpRequest, HttpResponse } from '../../../src/client/connection.js'
import { ChunkedBuffer } from '../../../src/wire/bytes/chunked-buffer.js'
import { until } from '../../support/until.js'

const REQUEST: HttpRequest = { method: 'GET', path: '/', purpose: 'query' }
const RESPONSE: HttpResponse = {
  status: 200,
  headers: {},
  body: ChunkedBuffer.of(Buffer.alloc(0)),
  url: '/',
}

/** A connection whose requests and closes last until they are ended. */
function slowConnection() {
  const events: string[] = []
  const ends: (() => void)[] = []
  const lasting = async (name: string) => {
    events.push(name)
    await new Promise<void>((resolve) => ends.push(resolve))
    events.push(`${name} ended`)
  }
  const connection = {
    name: 'slow',
    async send() {
      await lasting('send')
      return RESPONSE
    },
    close: () => lasting('close'),
  }
  return { connection, events, end: () => ends.shift()?.() }
}

it('closes when no request is in flight, and sends the next request after that', async () => {
  const { connection, events, end } = slowConnection()
  const shared = releasedWhenIdle(connection, 1)
  const both = [shared.send(REQUEST), shared.send(REQUEST)]
  await until(() => events.length === 2, 'both are sent')
  end()
  await both[0]
  expect(events).toEqual(['send', 'send', 'send ended'])
  end()
  await both[1]
  await until(() => events.includes('close'), 'it closes')
  const next = shared.send(REQUEST)
  expect(events.slice(3)).toEqual(['send ended', 'close'])
  end()
  await until(() => events.length === 7, 'it is sent')
  expect(events.slice(5)).toEqual(['close ended', 'send'])
  end()
  expect((await next).status).toBe(200)
})
