import { NetworkError } from './error.js'

/** What the system's and undici's words for a failed exchange mean to a reader. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'the connection timed out',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was being sent',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'a certificate in its chain is signed by itself',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate could not be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate could not be verified',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'it does not speak TLS there, so the address may begin with `http://`',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

interface Circumstances {
  readonly name: string
  readonly wasSent: boolean
  readonly timeouts: { readonly connectMs: number; readonly answerMs: number }
}

/** Why there was no answer, in words for a reader. */
export function networkError(cause: Error, circumstances: Circumstances): NetworkError {
  if (cause instanceof NetworkError) return cause
  const { name, wasSent, timeouts } = circumstances
  const code = codeOf(cause)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    const message = `${name} could not be reached: no connection within ${seconds(timeouts.connectMs)}.`
    return new NetworkError('unreachable', message, { cause })
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    const message = `${name} gave no answer within ${seconds(timeouts.answerMs)}.`
    return new NetworkError('timeout', message, { cause })
  }
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return new NetworkError('timeout', `${name} stopped in the middle of its answer.`, { cause })
  }
  const meaning = MEANINGS[code] ?? cause.message
  return wasSent
    ? new NetworkError('cut', `The exchange with ${name} broke off: ${meaning}.`, { cause })
    : new NetworkError('unreachable', `${name} could not be reached: ${meaning}.`, { cause })
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}
