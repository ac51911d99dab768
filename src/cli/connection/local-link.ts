import { connect } from 'node:net'
import type { Connection } from '../../client/connection.js'
import { connectHttp } from '../../client/http.js'
import type { HttpTrace } from '../../client/http-trace.js'
import { userAgent } from '../version.js'
import { connectInProcess, LOCAL_URL } from './in-process.js'

/** A way to whoever serves the data directory at the moment: another process, or this one. */
export interface Link {
  readonly connection: Connection
  /** Also ends the service when this process owns it, after all who use it have their answers. */
  close(): Promise<void>
}

interface LinkOptions {
  readonly directory: string
  /** What to call the local service in a message. */
  readonly name: string
  now(): bigint
  report?(error: unknown, traceId: string): void
  /** Is told of what whoever has the directory should know. */
  warn?(message: string): void
  readonly observe?: HttpTrace | undefined
}

/** Joins the owner of the data directory, or becomes it; nothing while one is starting or leaving. */
export async function openLink(options: LinkOptions): Promise<Link | undefined> {
  const { socketPath } = await import('../../local/socket-path.js')
  const path = socketPath(options.directory)
  if (await isListening(path)) return join(options, path)
  const { openDataDirectory } = await import('../../local/open-directory.js')
  const { directory, now, report, warn } = options
  const told = { ...(report && { report }), ...(warn && { warn }) }
  const owned = await openDataDirectory({ directory, now, ...told })
  if (owned === undefined) return undefined
  const connection = connectInProcess({ ...options, app: owned.app })
  return {
    connection,
    async close() {
      await connection.close()
      await owned.close()
    },
  }
}

function join({ name, observe }: LinkOptions, socketPath: string): Link {
  const connection = connectHttp({
    name,
    // The socket is the address.
    url: LOCAL_URL,
    socketPath,
    // An owner that is gone closes its socket; one that is there may take as long as the query takes.
    timeouts: { responseMs: 0, idleMs: 0 },
    userAgent: userAgent(),
    trace: observe,
  })
  return { connection, close: connection.close }
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
