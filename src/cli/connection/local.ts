import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { HttpTrace } from '../../client/address.js'
import type { Connection, HttpRequest, HttpResponse } from '../../client/connection.js'
import { NetworkError } from '../../client/error.js'
import { connectHttp } from '../../client/http.js'
import { orAborted } from '../../text/abort.js'
import { Countdown } from '../../text/countdown.js'
import { CommandError } from '../error/command-error.js'
import { userAgent } from '../version.js'
import { connectInProcess, LOCAL_URL } from './in-process.js'

interface LinkOptions {
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

interface LocalOptions extends Omit<LinkOptions, 'name'> {
  /** The time to wait for an owner that neither responds nor ends. */
  readonly timeoutMs?: number
}

/** True for the response of an owner that is stopping. A busy service sends `Retry-After`. */
function isStopping({ status, headers }: HttpResponse): boolean {
  return status === 503 && headers['retry-after'] === undefined
}

/** The time after which a wait is reported. An owner usually starts or stops in less time. */
const LONG_WAIT_MS = 2000

/**
 * Returns a connection to the local service. When no process serves the data directory, this process becomes its owner, and serves
 * it to other processes. When the owner ends, the next request goes to the new owner.
 */
export function connectLocal(options: LocalOptions): Connection {
  const { directory, timeoutMs = 30_000, warn } = options
  const name = `the data directory \`${directory}\``
  const links = new Set<Connection>()
  let current: Promise<Connection | undefined> | undefined
  let isReported = false

  async function send(request: HttpRequest): Promise<HttpResponse> {
    const { lockPatience } = await import('../../local/file-lock.js')
    const isLate = lockPatience(directory, timeoutMs)
    let wasCut = false
    let long: Countdown | undefined
    for (const pauseMs of pauses()) {
      current ??= open()
      const opened = current
      try {
        const link = await orAborted(opened, request.signal, () => {
          throw new NetworkError('stopped', 'The request was canceled.')
        })
        const response = await link?.send(request)
        if (response !== undefined && (!isStopping(response) || isLate())) {
          return wasCut ? { ...response, isRepeated: true } : response
        }
        if (link === undefined) {
          if (isLate()) throw stuck(name)
          long ??= new Countdown(LONG_WAIT_MS)
          if (long.isOver) await reportWait()
        }
      } catch (error) {
        // The next request opens a new connection, also when this one could not be opened.
        if (current === opened) current = undefined
        if (!ownerIsGone(error) || isLate()) throw error
        wasCut ||= error.failure === 'cut'
      }
      // The link stays open until the end: other requests of this process may be in flight on it.
      if (current === opened) current = undefined
      await sleep(pauseMs)
    }
    throw stuck(name)
  }

  /** Connects to the owner, or becomes the owner; resolves with undefined while an owner is starting or stopping. */
  async function open(): Promise<Connection | undefined> {
    const link = await openLink({ ...options, name })
    if (link !== undefined) links.add(link)
    return link
  }

  async function reportWait(): Promise<void> {
    if (isReported) return
    isReported = true
    warn?.(`Waiting for ${await ownerOf(directory)}, which holds ${name} and does not respond yet.`)
  }

  async function close(): Promise<void> {
    await current?.catch(() => {})
    current = undefined
    for (const link of links) await link.close()
    links.clear()
  }

  return { name, send, close }
}

/**
 * True when the request can be sent to another owner. It may already have been carried out, which is harmless: batches and created
 * objects have ids, and `manage` recognizes other changes that were already made.
 */
function ownerIsGone(error: unknown): error is NetworkError {
  return (
    error instanceof NetworkError && (error.failure === 'unreachable' || error.failure === 'cut')
  )
}

/** Yields the delays between attempts in milliseconds. They begin short, because an owner starts or stops within a second. */
function* pauses(): Generator<number> {
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 200)) yield pauseMs
}

async function ownerOf(directory: string): Promise<string> {
  const { lockHolder, lockPath } = await import('../../local/file-lock.js')
  const id = lockHolder(lockPath(directory))
  return id === undefined ? 'another evq process' : `another evq (process ${id})`
}

/** Returns the error for an owner that does not respond. It is not a `NetworkError`, which would be retried. */
function stuck(name: string): CommandError {
  return new CommandError(
    `Another evq process holds ${name} and does not respond. Try again when it has ended.`,
  )
}

/**
 * Connects to the owner of the data directory, or becomes the owner. Returns undefined while an owner is starting or stopping. When
 * this process is the owner, closing the connection stops the service after the requests in flight.
 */
async function openLink(options: LinkOptions): Promise<Connection | undefined> {
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
  keepYoungHeapSmall()
  const connection = connectInProcess({ ...options, app: owned.app })
  return {
    ...connection,
    async close() {
      await connection.close()
      await owned.close()
    },
  }
}

/**
 * Keeps V8's space for new objects at 16 MB, its size after the program was loaded: events are bytes outside of the heap. V8 accepts
 * cached code only under the flags under which it was compiled, so this is called after the program is loaded.
 */
function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
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
