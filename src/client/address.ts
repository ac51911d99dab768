import type { HeaderNames } from '../wire/http/header.js'
import type { HttpRequest, HttpResponse } from './connection.js'

/** The address of a deployment and how to connect to it. */
export interface HttpAddress {
  /** The name of the deployment in messages. */
  readonly name: string
  /** The URL, which may have a path prefix and a trailing slash. */
  readonly url: string
  /** The URL for ingest, when it differs from `url`. */
  readonly ingestUrl?: string | undefined
  /** A Unix socket to use instead of the network. */
  readonly socketPath?: string | undefined
  readonly token?: { readonly text: string; readonly origin: string } | undefined
  readonly organizationId?: string | undefined
  /** The header names of the deployment, where they differ from `HEADER`. */
  readonly headerNames?: Partial<HeaderNames> | undefined
  readonly timeouts?: Partial<Timeouts> | undefined
  /** PEM certificates to trust in addition to Node's certificates. */
  readonly ca?: string | undefined
  /** Returns the proxy for an origin; undefined for a direct connection. */
  readonly proxyTo?: ((origin: string) => string | undefined) | undefined
  readonly userAgent?: string | undefined
  readonly trace?: HttpTrace | undefined
}

/** Carries out an exchange, and reports its start and its end. */
export type HttpTrace = (
  sent: { readonly url: URL; readonly request: HttpRequest },
  carryOut: () => Promise<HttpResponse>,
) => Promise<HttpResponse>

export interface Timeouts {
  readonly connectMs: number
  /** The timeout from the last byte of the request to the first byte of the response; 0 disables it. */
  readonly responseMs: number
  /** The timeout within which the response must make progress, or end; 0 disables it. */
  readonly idleMs: number
}
