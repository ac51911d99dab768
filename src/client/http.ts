import type { Dispatcher } from 'undici'
import { HEADER, singleHeaders } from '../wire/http/header.js'
import type { HttpAddress, Timeouts } from './address.js'
import type { Answer, Connection, Outgoing } from './connection.js'
import { openDispatcher } from './dispatcher.js'
import { NetworkError } from './error.js'
import { observed } from './exchange.js'
import { headerTranslation } from './header-names.js'
import { networkError } from './network-failure.js'
import { redaction } from './redaction.js'
import { ResponseBody } from './response-body.js'
import { redacted, secretsOf } from './secrets.js'

const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 10_000, answerMs: 300_000, pauseMs: 120_000 }

/** Speaks HTTP to a deployment; opens nothing before the first request. */
export function connectHttp(address: HttpAddress): Connection {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...address.timeouts }
  const names = headerTranslation(address.headerNames ?? {})
  const redact = redaction(secretsOf(address))
  const pools = new Map<string, Promise<Dispatcher>>()

  function pool(origin: string): Promise<Dispatcher> {
    const existing = pools.get(origin)
    if (existing !== undefined) return existing
    const opened = openDispatcher(origin, { ...address, connectMs: timeouts.connectMs })
    pools.set(origin, opened)
    return opened
  }

  async function send(request: Outgoing): Promise<Answer> {
    const { url, headers } = addressed(address, request)
    const outgoing = { ...request, headers }
    const { purpose } = request
    const opened = await pool(url.origin)
    const carryOut = () =>
      redacted(exchange(opened, outgoing, { url, timeouts, address }), { purpose, redact })
    const answer =
      address.observe === undefined
        ? await carryOut()
        : await observed(address.observe, { url, request: outgoing }, carryOut)
    const credential = address.token?.origin
    return { ...answer, headers: names.here(answer.headers), ...(credential && { credential }) }
  }

  async function close(): Promise<void> {
    const opened = await Promise.allSettled(pools.values())
    pools.clear()
    await Promise.all(opened.map((one) => one.status === 'fulfilled' && one.value.destroy()))
  }

  return { name: address.name, send, close }
}

/** Where a request goes, and the headers it has when it leaves. */
export function addressed(
  address: HttpAddress,
  request: Outgoing,
): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } {
  const headers = {
    ...(address.userAgent && { 'user-agent': address.userAgent }),
    ...(address.token !== undefined && { authorization: `Bearer ${address.token.text}` }),
    ...(address.organizationId && { [HEADER.organization]: address.organizationId }),
    ...request.headers,
  }
  const names = headerTranslation(address.headerNames ?? {})
  return { url: locate(address, request), headers: names.there(headers) }
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

interface Exchange {
  readonly url: URL
  readonly timeouts: Timeouts
  readonly address: HttpAddress
}

function exchange(dispatcher: Dispatcher, request: Outgoing, { url, timeouts, address }: Exchange) {
  return new Promise<Answer>((resolve, reject) => {
    const { signal } = request
    let wasSent = false
    let head: Pick<Answer, 'status' | 'headers'> = { status: 0, headers: {} }
    let body = new ResponseBody(0, request.purpose)
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

    function finish(): void {
      signal?.removeEventListener('abort', stop)
      try {
        resolve({ ...head, body: body.whole(), url: url.origin + url.pathname })
      } catch (error) {
        reject(error)
      }
    }

    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
    dispatcher.dispatch(
      {
        origin: url.origin,
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
          head = { status: statusCode, headers: singleHeaders(received) }
          body = new ResponseBody(statusCode, request.purpose)
        },
        onResponseData(controller, chunk) {
          body.add(chunk)
          if (!body.isTooLong) return
          finish()
          controller.abort(new Error('The response is too long.'))
        },
        onResponseEnd: finish,
        onResponseError(_controller, error) {
          fail(error)
        },
      },
    )
  })
}
