import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, HttpRequest, HttpResponse } from '../../client/connection.js'
import { NetworkError } from '../../client/error.js'
import type { HttpTrace } from '../../client/http-trace.js'
import { orAborted } from '../../text/abort.js'
import { CommandError } from '../error/command-error.js'
import { type Link, openLink } from './local-link.js'

interface LocalOptions {
  readonly directory: string
  /** Nanoseconds since 1970. */
  now(): bigint
  /** Is told, when this process serves the directory, of failures that are the service's own fault. */
  report?(error: unknown, traceId: string): void
  readonly observe?: HttpTrace | undefined
  /** How long to wait for an owner that neither answers nor ends. */
  readonly timeoutMs?: number
  /** Is told what is waited for, once a wait has become long. */
  warn?(text: string): void
}

/** An owner starts or leaves within less. */
const LONG_WAIT_MS = 2000

/**
 * Speaks to the local service. Whoever finds nobody serving the data directory opens it and serves
 * it to all; when the owner goes away, the next request finds a new one and is sent there instead.
 */
export function connectLocal(options: LocalOptions): Connection {
  const { directory, now, report, observe, timeoutMs = 30_000, warn } = options
  const name = `the data directory \`${directory}\``
  const links = new Set<Link>()
  let current: Promise<Link> | undefined

  async function send(request: HttpRequest): Promise<HttpResponse> {
    const isLate = deadline(timeoutMs)
    for (const pauseMs of pauses()) {
      current ??= acquire()
      const acquired = current
      try {
        const link = await orAborted(acquired, request.signal, () => {
          throw new NetworkError('stopped', 'The request was canceled.')
        })
        const answer = await link.connection.send(request)
        if (answer.status !== 503 || isLate()) return answer
      } catch (error) {
        // A connection that could not be opened at all is tried anew by the next request too.
        if (current === acquired) current = undefined
        if (!ownerIsGone(error, request) || isLate()) throw error
      }
      // The link stays open until the end: others of this process may still get their answers on it.
      if (current === acquired) current = undefined
      await sleep(pauseMs)
    }
    throw stuck(name)
  }

  /** Joins or becomes the owner; waits while one is starting or leaving. */
  async function acquire(): Promise<Link> {
    const isLate = deadline(timeoutMs)
    let isLong = deadline(LONG_WAIT_MS)
    for (const pauseMs of pauses()) {
      const told = { ...(report && { report }), ...(warn && { warn }) }
      const link = await openLink({ directory, now, name, observe, ...told })
      if (link !== undefined) {
        links.add(link)
        return link
      }
      if (isLate()) break
      if (isLong()) {
        isLong = () => false
        warn?.(
          `Waits for ${await ownerOf(directory)}, which holds ${name} and does not answer yet.`,
        )
      }
      await sleep(pauseMs)
    }
    throw stuck(name)
  }

  async function close(): Promise<void> {
    await current?.catch(() => {})
    current = undefined
    for (const link of links) await link.close()
    links.clear()
  }

  return { name, send, close }
}

/** Whether somebody else may answer the same request: it was not carried out, or may be carried out twice. */
function ownerIsGone(error: unknown, { purpose }: HttpRequest): boolean {
  if (!(error instanceof NetworkError)) return false
  return error.failure === 'unreachable' || (error.failure === 'cut' && purpose !== 'manage')
}

/** Short at first, since an owner starts or leaves within a second. */
function* pauses(): Generator<number> {
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 200)) yield pauseMs
}

function deadline(timeoutMs: number): () => boolean {
  const end = performance.now() + timeoutMs
  return () => performance.now() > end
}

async function ownerOf(directory: string): Promise<string> {
  const { lockHolder, lockPath } = await import('../../local/file-lock.js')
  const id = lockHolder(lockPath(directory))
  return id === undefined ? 'another evq process' : `another evq (process ${id})`
}

/** No failure of the network: whoever tries again would only wait as long again. */
function stuck(name: string): CommandError {
  return new CommandError(
    `Another evq process holds ${name} and does not answer; when it has ended, this works again.`,
  )
}
