import type { HttpRequest, HttpResponse } from './connection.js'

/** An event of an HTTP exchange, without the token. `exchange` identifies the exchange among those in flight. */
export type HttpTraceEvent = { readonly exchange: number } & (
  | {
      readonly kind: 'request'
      readonly method: string
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly bodyBytes: number
    }
  | (Pick<HttpResponse, 'status' | 'headers'> & {
      readonly kind: 'response'
      readonly bodyBytes: number
      readonly elapsedMs: number
    })
  | { readonly kind: 'failure'; readonly message: string; readonly elapsedMs: number }
)

/** Called for each event of every exchange. */
export type HttpTrace = (moment: HttpTraceEvent) => void

let exchanges = 0

/** Performs an exchange and reports its start and its end. */
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
    const response = await carryOut()
    trace({
      kind: 'response',
      exchange,
      status: response.status,
      headers: response.headers,
      bodyBytes: response.body.length,
      elapsedMs: performance.now() - startedAt,
    })
    return response
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    trace({ kind: 'failure', exchange, message, elapsedMs: performance.now() - startedAt })
    throw error
  }
}

export function withoutToken(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return 'authorization' in headers ? { ...headers, authorization: 'Bearer …' } : headers
}
