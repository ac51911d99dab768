import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { start } from '../../support/evq.js'
import { needs } from '../../support/needs.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { until } from '../../support/until.js'

const CONNECTIONS = 1_500

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets) socket.destroy()
})

/** The most connections that the kernel lets wait. */
function waitingLimit(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
}

describe('a service that is busy', () => {
  it(
    'has 1,500 clients wait to be accepted',
    needs(waitingLimit() >= CONNECTIONS, `net.core.somaxconn of at least ${CONNECTIONS}`),
    async () => {
      const directory = join(temporaryDirectory(), 'data')
      const service = start(['serve', '--listen', '127.0.0.1:0', '-q'], { directory })
      const [, port] = await service.err.until(/on http:\/\/127\.0\.0\.1:(\d+)/)
      // A stopped process accepts nothing: the kernel alone completes the handshakes.
      service.child.kill('SIGSTOP')
      let connected = 0
      for (let i = 0; i < CONNECTIONS; i++) {
        const socket = connect(Number(port), '127.0.0.1')
        socket.on('connect', () => {
          connected += 1
        })
        socket.on('error', () => {})
        sockets.push(socket)
      }
      try {
        await until(
          () => connected === CONNECTIONS,
          () => `${connected} connections`,
        )
      } finally {
        service.child.kill('SIGCONT')
      }
      service.child.kill('SIGTERM')
      expect((await service.ended).status).toBe(0)
    },
  )
})
