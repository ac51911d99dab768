import type { HttpRequest, HttpResponse } from './connection.js'

/** A moment of an HTTP exchange, as it may be shown: without the token. */
export type HttpTraceEvent = RequestStarted | ResponseReceived | RequestFailed

interface RequestStarted {
  readonly kind: 'request'
  /** Tells exchanges apart that are under way at once. */
  readonly exchange: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBytes: number
}

interface ResponseReceived {
  readonly kind: 'answer'
  readonly exchange: number
  readonly status: number
  readonly headers: HttpResponse['headers']
  readonly bodyBytes: number
  readonly elapsedMs: number
}

interface RequestFailed {
  readonly kind: 'failure'
  readonly exchange: number
  readonly message: string
  readonly elapsedMs: number
}

/** Is told of every exchange. */
export type HttpTrace = (moment: HttpTraceEvent) => void

let exchanges = 0

/** Carries out an exchange and tells of its beginning and its end. */
export async function traced(
  trace: HttpTrace,
  { url, request }: { readonly url: URL; readonly request: HttpRequest },
  carryOut: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const exchange = ++exchanges
  const startedAt = performance.now()
  const { method, headers = {}, body = '' } = request
  trace({
    kind: 'request',
    exchange,
    method,
    url: url.href,
    headers: withoutToken(headers),
    bodyBytes: Buffer.byteLength(body),
  })
  try {
    const answer = await carryOut()
    trace({
      kind: 'answer',
      exchange,
      status: answer.status,
      headers: answer.headers,
      bodyBytes: answer.body.length,
      elapsedMs: performance.now() - startedAt,
    })
    return answer
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    trace({ kind: 'failure', exchange, message, elapsedMs: performance.now() - startedAt })
    throw error
  }
}

/** Headers as they may be shown. */
export function withoutToken(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return 'authorization' in headers ? { ...headers, authorization: 'Bearer …' } : headers
}
