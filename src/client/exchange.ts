import type { Answer, Outgoing } from './connection.js'

/** A moment of an HTTP exchange, as it may be shown: without the token. */
export type Moment = Begun | Answered | Failed

interface Begun {
  readonly kind: 'request'
  /** Tells exchanges apart that are under way at once. */
  readonly exchange: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBytes: number
}

interface Answered {
  readonly kind: 'answer'
  readonly exchange: number
  readonly status: number
  readonly headers: Answer['headers']
  readonly bodyBytes: number
  readonly elapsedMs: number
}

interface Failed {
  readonly kind: 'failure'
  readonly exchange: number
  readonly message: string
  readonly elapsedMs: number
}

/** Is told of every exchange. */
export type Observe = (moment: Moment) => void

let exchanges = 0

/** Carries out an exchange and tells of its beginning and its end. */
export async function observed(
  observe: Observe,
  { url, request }: { readonly url: URL; readonly request: Outgoing },
  carryOut: () => Promise<Answer>,
): Promise<Answer> {
  const exchange = ++exchanges
  const startedAt = performance.now()
  const { method, headers = {}, body = '' } = request
  observe({
    kind: 'request',
    exchange,
    method,
    url: url.href,
    headers: withoutToken(headers),
    bodyBytes: Buffer.byteLength(body),
  })
  try {
    const answer = await carryOut()
    observe({
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
    observe({ kind: 'failure', exchange, message, elapsedMs: performance.now() - startedAt })
    throw error
  }
}

/** Headers as they may be shown. */
export function withoutToken(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return 'authorization' in headers ? { ...headers, authorization: 'Bearer …' } : headers
}
