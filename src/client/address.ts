import type { HeaderNames } from '../wire/http/header.js'
import type { HttpTrace } from './http-trace.js'

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
  readonly token?: { readonly text: string; readonly origin: string } | undefined
  readonly organizationId?: string | undefined
  /** Headers that are called otherwise there. */
  readonly headerNames?: Partial<HeaderNames> | undefined
  readonly timeouts?: Partial<Timeouts> | undefined
  /** Certificates to trust, as PEM, beside those that Node trusts. */
  readonly ca?: string | undefined
  /** The proxy to an origin; nothing where it is reached directly. */
  readonly proxyTo?: ((origin: string) => string | undefined) | undefined
  /** The `User-Agent` of each request. */
  readonly userAgent?: string | undefined
  readonly trace?: HttpTrace | undefined
}

export interface Timeouts {
  readonly connectMs: number
  /** From the request's last byte to the answer's first; 0 waits forever. */
  readonly responseMs: number
  /** Between two pieces of the answer; 0 waits forever. */
  readonly idleMs: number
}
