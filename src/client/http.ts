import { setFlagsFromString } from 'node:v8'
import type { Pool } from 'undici'
import type { Answer, Connection, Outgoing } from './connection.js'
import { NetworkError } from './error.js'
import { type Observe, observed } from './exchange.js'
import { networkError } from './network-failure.js'

/** Where a deployment is and how it is spoken to. */
export interface HttpAddress {
  /** What to call it in a message. */
  readonly name: string
  /** With or without a path prefix and a slash at the end. */
  readonly url: string
  /** Where ingest goes, when not to `url`. */
  readonly ingestUrl?: string | undefined
  /** A unix socket to use instead of the network. */
  readonly socketPath?: string | undefined
  readonly token?: string | undefined
  readonly organization?: { readonly header: string; readonly id: string } | undefined
  readonly timeouts?: Partial<Timeouts> | undefined
  readonly observe?: Observe | undefined
}

export interface Timeouts {
  readonly connectMs: number
  /** From the request's last byte to the answer's first; 0 waits forever. */
  readonly answerMs: number
  /** Between two pieces of the answer; 0 waits forever. */
  readonly pauseMs: number
}

const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 10_000, answerMs: 300_000, pauseMs: 120_000 }

/** Speaks HTTP to a deployment; opens nothing before the first request. */
export function connectHttp(address: HttpAddress): Connection {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...address.timeouts }
  const pools = new Map<string, Promise<Pool>>()

  function pool(origin: string): Promise<Pool> {
    const existing = pools.get(origin)
    if (existing !== undefined) return existing
    const opened = openPool(origin, address.socketPath, timeouts.connectMs)
    pools.set(origin, opened)
    return opened
  }

  async function send(request: Outgoing): Promise<Answer> {
    const url = locate(address, request)
    const headers = {
      ...(address.token !== undefined && { authorization: `Bearer ${address.token}` }),
      ...(address.organization && { [address.organization.header]: address.organization.id }),
      ...request.headers,
    }
    const outgoing = { ...request, headers }
    const opened = await pool(url.origin)
    const carryOut = () => exchange(opened, outgoing, { url, timeouts, address })
    if (address.observe === undefined) return carryOut()
    return observed(address.observe, { url, request: outgoing }, carryOut)
  }

  async function close(): Promise<void> {
    const opened = await Promise.allSettled(pools.values())
    pools.clear()
    await Promise.all(opened.map((one) => one.status === 'fulfilled' && one.value.destroy()))
  }

  return { name: address.name, send, close }
}

/** The full address of a request. */
function locate({ url, ingestUrl }: HttpAddress, request: Outgoing): URL {
  const base = request.purpose === 'ingest' ? (ingestUrl ?? url) : url
  const located = new URL(base.replace(/\/+$/, '') + request.path)
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) located.searchParams.set(name, value)
  }
  return located
}

async function openPool(
  origin: string,
  socketPath: string | undefined,
  connectMs: number,
): Promise<Pool> {
  const { default: LoadedPool } = await import('undici/lib/dispatcher/pool.js')
  // V8 would compile undici's parser a second time in the background, which costs 60 ms and 35 MB
  // in every short run. The flag must come after the code is loaded.
  setFlagsFromString('--wasm-tiering-budget=1000000000')
  return new LoadedPool(origin, {
    connect: { timeout: connectMs, ...(socketPath !== undefined && { socketPath }) },
  })
}

interface Exchange {
  readonly url: URL
  readonly timeouts: Timeouts
  readonly address: HttpAddress
}

function exchange(pool: Pool, request: Outgoing, { url, timeouts, address }: Exchange) {
  return new Promise<Answer>((resolve, reject) => {
    const { signal } = request
    let wasSent = false
    let status = 0
    let headers: Answer['headers'] = {}
    const chunks: Buffer[] = []
    let abort: ((reason: Error) => void) | undefined

    function stop(): void {
      const stopped = new NetworkError('stopped', `The request to ${address.name} was given up.`)
      abort?.(stopped)
      fail(stopped)
    }
    function fail(cause: Error): void {
      signal?.removeEventListener('abort', stop)
      reject(networkError(cause, { name: address.name, wasSent, timeouts }))
    }

    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
    pool.dispatch(
      {
        method: request.method,
        path: url.pathname + url.search,
        headers: { ...request.headers },
        body: request.body ?? null,
        headersTimeout: timeouts.answerMs,
        bodyTimeout: timeouts.pauseMs,
      },
      {
        onRequestStart(controller) {
          if (signal?.aborted) return controller.abort(new Error('given up'))
          wasSent = true
          abort = (reason) => controller.abort(reason)
        },
        onResponseStart(_controller, statusCode, received) {
          status = statusCode
          headers = oneValueEach(received)
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk)
        },
        onResponseEnd() {
          signal?.removeEventListener('abort', stop)
          resolve({ status, headers, body: Buffer.concat(chunks), url: url.origin + url.pathname })
        },
        onResponseError(_controller, error) {
          fail(error)
        },
      },
    )
  })
}

function oneValueEach(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
}
