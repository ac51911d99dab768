import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { RemoteServer } from '../../../src/engine/clickhouse/remote-server.js'

it('abandons a server that hangs in the middle of a response', async () => {
  const still = createServer((_, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('begun')
  })
  await new Promise<void>((resolve) => still.listen(0, '127.0.0.1', resolve))
  const { port } = still.address() as AddressInfo
  const server = await RemoteServer.open({ url: `http://127.0.0.1:${port}` })
  const asked = { statement: 'SELECT 1', settings: {} }
  try {
    await expect(server.send({ ...asked, timeoutMs: 200 })).rejects.toMatchObject({
      code: 209,
      message: `127.0.0.1:${port}: no response within 0.2 s`,
    })
    const reason = new Error('nobody reads it')
    const given = new AbortController()
    setTimeout(() => given.abort(reason), 200)
    await expect(server.send({ ...asked, signal: given.signal })).rejects.toBe(reason)
    const last = server.send(asked)
    setTimeout(() => server.close(), 200)
    await expect(last).rejects.toMatchObject({ code: 210 })
    await expect(server.send(asked)).rejects.toMatchObject({ code: 236 })
  } finally {
    await server.close()
    still.closeAllConnections()
    still.close()
  }
})
