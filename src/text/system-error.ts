import { getSystemErrorMap } from 'node:util'

/** What the operating system says is wrong, `name too long`; nothing for an error that is not of its kind. */
export function systemErrorText(error: unknown): string | undefined {
  const isOfSystem = error instanceof Error && 'errno' in error && typeof error.errno === 'number'
  return isOfSystem ? getSystemErrorMap().get(error.errno as number)?.[1] : undefined
}

/** What the system or a library calls an error, `ENOENT`; undefined for one that has no such name. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** What the words of the system, of TLS and of undici for a connection that failed mean to a reader. */
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
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'a certificate in its chain is signed by itself',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate could not be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate could not be verified',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'it does not speak TLS there, so the address may begin with `http://`',
  ERR_SSL_PACKET_LENGTH_TOO_LONG:
    'it does not speak TLS there, so the address may begin with `http://`',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it wants a certificate of the client',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'it refuses the TLS connection',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "it doesn't trust who signed the client's certificate",
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: "it refuses the client's certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "the client's certificate has expired",
}

/** Why a connection failed; nothing for what has no words here. */
export function connectionErrorText(error: unknown): string | undefined {
  return MEANINGS[connectionErrorCode(error)]
}

/** The name that the system, TLS or undici has for a failure; of several the first. */
export function connectionErrorCode(error: unknown): string {
  if (error instanceof AggregateError) return connectionErrorCode(error.errors[0])
  const code = errorCode(error)
  if (!(error instanceof Error) || code !== 'EPROTO') return code ?? ''
  // What TLS says of a connection that was never one stands in the message alone.
  const [, reason = ''] = /SSL routines:[^:]*:([^:]+):/.exec(error.message) ?? []
  return `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`
}
