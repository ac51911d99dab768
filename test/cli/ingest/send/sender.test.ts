import { createHook } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { combineReporters } from '../../../../src/cli/ingest/report/reporter.js'
import { IngestSender } from '../../../../src/cli/ingest/send/sender.js'
import type { Connection, HttpRequest, HttpResponse } from '../../../../src/client/connection.js'
import { INGEST_RETRY } from '../../../../src/client/limits.js'
import type { Batch } from '../../../../src/input/batch.js'
import { deferred } from '../../../../src/text/deferred.js'
import { ChunkedBuffer } from '../../../../src/wire/bytes/chunked-buffer.js'

it('sends the first batch alone, and then several at a time in the order of their arrival', async () => {
  const { sender, requests } = senderTo()
  const sends = [1, 2, 3, 4, 5].map((n) => sender.send(batch(n)))
  const sent = () => requests.map(({ text }) => text)
  await vi.waitFor(() => expect(sent()).toEqual(['{"n":1}\n']))
  requests[0]!.respond()
  await vi.waitFor(() => expect(sent().slice(1)).toEqual(['{"n":2}\n', '{"n":3}\n']))
  requests[2]!.respond()
  await vi.waitFor(() => expect(sent().slice(3)).toEqual(['{"n":4}\n']))
  requests[1]!.respond()
  await vi.waitFor(() => expect(sent().slice(4)).toEqual(['{"n":5}\n']))
  await Promise.all(sends)
  for (const { respond } of requests) respond()
  await sender.settled()
  expect(sender.batchesInFlight).toBe(0)
})

it('sends as many batches at a time as have the bytes that may be in flight, and at least one', async () => {
  const { sender, requests } = senderTo({ batches: 9, bytes: 2 * batch(0).body.length })
  const sends = [1, 2, 3, 4].map((n) => sender.send(batch(n)))
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  requests[0]!.respond()
  await vi.waitFor(() => expect(requests).toHaveLength(3))
  await setImmediate()
  expect(sender.batchesInFlight).toBe(2)
  requests[1]!.respond()
  await Promise.all(sends)
  for (const { respond } of requests) respond()
  await sender.settled()

  const small = senderTo({ batches: 9, bytes: 1 })
  const both = Promise.all([1, 2].map((n) => small.sender.send(batch(n))))
  for (const n of [0, 1]) {
    await vi.waitFor(() => expect(small.requests).toHaveLength(n + 1))
    small.requests[n]!.respond()
  }
  await both
  await small.sender.settled()
})

it('creates as many promises for a batch when many batches wait as when few do', async () => {
  const few = await promisesOf(100)
  expect(await promisesOf(800)).toBeLessThan(2 * 8 * few)
})

/** Sends a number of batches, each of which waits for those in front of it; returns the number of promises that this has created. */
async function promisesOf(batches: number): Promise<number> {
  const { sender, requests } = senderTo()
  let created = 0
  const hook = createHook({
    init(_, type) {
      if (type === 'PROMISE') created += 1
    },
  }).enable()
  const sends = Array.from({ length: batches }, (_, n) => sender.send(batch(n)))
  for (let n = 0; n < batches; n++) {
    while (requests.length <= n) await setImmediate()
    requests[n]!.respond()
  }
  await Promise.all(sends)
  await sender.settled()
  hook.disable()
  return created
}

/** Returns a sender, by default of two batches at a time, and the requests that it has sent. */
function senderTo(most = { batches: 2, bytes: 100 }) {
  const requests: { readonly text: string; respond(): void }[] = []
  const connection: Connection = {
    name: 'test',
    async send({ body = '' }: HttpRequest): Promise<HttpResponse> {
      const response = deferred<HttpResponse>()
      const result = '{"ingested":1,"failed":0,"failures":[],"processedBytes":8}'
      const found = { status: 200, headers: {}, url: 'test' }
      const respond = () =>
        response.resolve({ ...found, body: new ChunkedBuffer([Buffer.from(result)]) })
      requests.push({ text: body.toString(), respond })
      return await response.promise
    },
    async close() {},
  }
  const { signal } = new AbortController()
  const sender = new IngestSender({
    ...{ connection, dataset: 'logs', parameters: {}, most, retry: INGEST_RETRY },
    ...{ interrupt: signal, deadline: signal, reporter: combineReporters([]) },
    batchId: ({ start }) => `batch-${start.event}`,
  })
  return { sender, requests }
}

function batch(n: number): Batch {
  const body = Buffer.from(`{"n":${n}}\n`)
  return {
    ...{ kind: 'batch', input: 'app.ndjson', contentType: 'application/x-ndjson', body },
    ...{ events: 1, bytes: body.length, start: { line: n, event: n, offset: 0 }, lines: 1 },
    ...{ headLines: 0, release() {} },
  }
}
