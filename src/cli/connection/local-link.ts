import { connect } from 'node:net'
import type { Connection } from '../../client/connection.js'
import { connectHttp } from '../../client/http.js'
import type { HttpTrace } from '../../client/http-trace.js'
import { userAgent } from '../version.js'
import { connectInProcess, LOCAL_URL } from './in-process.js'

export interface LinkOptions {
  readonly directory: string
  /** The name of the local service in messages. */
  readonly name: string
  /** Nanoseconds since 1970. */
  now(): bigint
  report?(error: unknown, traceId: string): void
  /** Receives warnings for the owner of the directory. */
  warn?(message: string): void
  readonly observe?: HttpTrace | undefined
  /** When set, a service is started that outlives this process, and ends after this time without requests, in milliseconds. */
  readonly keepWarmMs?: number | undefined
}

/**
 * Connects to the owner of the data directory, or becomes the owner. Returns undefined while an owner is starting or stopping. When
 * this process is the owner, closing the connection stops the service after the requests in flight.
 */
export async function openLink(options: LinkOptions): Promise<Connection | undefined> {
  const { socketPath } = await import('../../local/socket-path.js')
  const path = socketPath(options.directory)
  if (await isListening(path)) return join(options, path)
  const { keepWarmMs: idleMs } = options
  if (idleMs !== undefined) {
    const { startWarmService } = await import('./warm-service.js')
    const warm = { directory: options.directory, idleMs, isListening: () => isListening(path) }
    if (await startWarmService(warm)) return join(options, path)
  }
  const { startEngine } = await import('../../local/engine-start.js')
  startEngine()
  const { openDataDirectory } = await import('../../local/open-directory.js')
  const { directory, now, report, warn } = options
  const owned = await openDataDirectory({ directory, now, report, warn })
  if (owned === undefined) return undefined
  const connection = connectInProcess({ ...options, app: owned.app })
  return {
    ...connection,
    async close() {
      await connection.close()
      await owned.close()
    },
  }
}

function join({ name, observe }: LinkOptions, socketPath: string): Connection {
  return connectHttp({
    name,
    // Only the socket is used.
    url: LOCAL_URL,
    socketPath,
    // When the owner ends, its socket is closed. While it runs, a response may take as long as its query.
    timeouts: { responseMs: 0, idleMs: 0 },
    userAgent: userAgent(),
    trace: observe,
  })
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
