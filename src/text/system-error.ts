import type { PeerCertificate } from 'node:tls'
import { getSystemErrorMap } from 'node:util'

/** Returns the operating system's message for an error, such as `name too long`; undefined for other errors. */
export function systemErrorText(error: unknown): string | undefined {
  return new Map(getSystemErrorMap().values()).get(errorCode(error) ?? '')
}

/** Returns the code of an error, such as `ENOENT`; undefined without one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** True for an error of writing to a pipe whose reader has closed it. */
export function isOfClosedPipe(error: unknown): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(errorCode(error) ?? '')
}

/** Descriptions of connection failures by the error codes of the system, of TLS and of undici. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name could not be resolved',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'the connection timed out',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was being sent',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'a certificate in its chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the authority that signed its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the authority that signed its certificate is not trusted',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS on that port; the address may need `http://`',
  ERR_SSL_PACKET_LENGTH_TOO_LONG:
    'it does not use TLS on that port; the address may need `http://`',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it requires a client certificate',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'the TLS handshake failed',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "it does not trust the issuer of the client's certificate",
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: "it rejected the client's certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "the client's certificate has expired",
}

/** Returns a description of a connection failure; undefined for unknown errors. */
export function connectionErrorText(error: unknown): string | undefined {
  const meaning = MEANINGS[connectionErrorCode(error)]
  const names = (error as { readonly cert?: PeerCertificate } | undefined)?.cert?.subjectaltname
  return names === undefined ? meaning : `${meaning}: ${names}`
}

/** Returns the error code of the system, of TLS or of undici: of several errors, the code of the first; empty without a code. */
export function connectionErrorCode(error: unknown): string {
  if (error instanceof AggregateError) return connectionErrorCode(error.errors[0])
  const code = errorCode(error)
  if (!(error instanceof Error) || code !== 'EPROTO') return code ?? ''
  // For a failed TLS handshake, the reason is only in the message.
  const [, reason = ''] = /SSL routines:[^:]*:([^:]+):/.exec(error.message) ?? []
  return `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`
}

/**
 * An expected failure of the local service, with a message for users. The client recognizes it without loading the
 * code that throws it.
 */
export class DescribedError extends Error {}

/** Names the file in an error of the system: errors of writes have no path. */
export function naming(path: string, error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error
}
