import type { Agent } from 'node:https'
import { addAbortSignal, type Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { Countdown } from '../../text/countdown.js'
import { connectionErrorText, errorCode } from '../../text/system-error.js'
import { DATASETS } from '../catalog/database.js'
import { EngineError } from '../engine.js'
import { type Settings, STATEMENT_SETTINGS } from './settings.js'

/** The address of a ClickHouse server, and credentials. */
export interface ServerAddress {
  readonly url: string
  readonly user?: string
  readonly password?: string
  readonly tls?: ServerTls
  /** Identifies this service among all on the server; the same after a restart, so that it can end its earlier statements. */
  readonly name?: string
}

/** TLS certificates and key in PEM, in addition to the certificates that the system trusts. */
interface ServerTls {
  readonly ca?: Buffer
  readonly client?: { readonly certificate: Buffer; readonly key: Buffer }
}

interface Exchange {
  /** The statement, or only its first word when the rest is in `body`. */
  readonly statement: string
  readonly settings?: Settings
  readonly body?: Readable
  readonly signal?: AbortSignal
  readonly id?: string
  /** After this time the server counts as unreachable. */
  readonly timeoutMs?: number
}

const HTTP_SETTINGS = {
  database: DATASETS,
  // Without this setting, an error that occurs after part of the response is sent would look like data.
  wait_end_of_query: 1,
} as const satisfies Settings
const CONNECTIONS = 64
/** The longest timeout of any statement. */
const MAX_TIMEOUT_MS = 600_000
/** Internal statements are fast; a server that hangs is abandoned after this time. */
const DEFAULT_TIMEOUT_MS = 60_000

/** A client of one ClickHouse server over HTTP. */
export class RemoteServer {
  readonly url: string
  private readonly client: ClickHouseClient
  /** Aborts each statement in flight. A single signal for all of them would leak memory with each statement. */
  private readonly inFlight = new Set<AbortController>()
  private isClosed = false

  private constructor(url: string, client: ClickHouseClient) {
    this.url = url
    this.client = client
  }

  static async open(address: ServerAddress): Promise<RemoteServer> {
    const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client')
    const { url, user, password, tls } = address
    const client = createClient({
      url,
      username: user,
      password,
      ...(tls && isSecure(url) && { http_agent: await tlsAgent(tls) }),
      ...certificateLogin(address),
      request_timeout: MAX_TIMEOUT_MS,
      max_open_connections: CONNECTIONS,
      log: { level: ClickHouseLogLevel.OFF },
    })
    return new RemoteServer(url, client)
  }

  /** Sends a statement and resolves with the response body. Rejects with an `EngineError`, or with the reason of the signal. */
  async send(exchange: Exchange): Promise<Buffer> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = exchange
    if (this.isClosed) throw new EngineError('ABORTED', 'the engine is closed')
    const own = new AbortController()
    const countdown = new Countdown(timeoutMs, () => own.abort(noResponse(this.url, timeoutMs)))
    this.inFlight.add(own)
    const either = signal === undefined ? [own.signal] : [own.signal, signal]
    try {
      const pieces: Buffer[] = []
      for await (const piece of await this.execute(exchange, AbortSignal.any(either))) {
        pieces.push(piece)
      }
      return Buffer.concat(pieces)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (own.signal.reason instanceof EngineError) throw own.signal.reason
      throw engineError(error, this.url)
    } finally {
      countdown.stop()
      this.inFlight.delete(own)
    }
  }

  private async execute(
    { statement, settings, body, id }: Exchange,
    abort: AbortSignal,
  ): Promise<AsyncIterable<Buffer>> {
    abort.throwIfAborted()
    const { stream } = await this.client.exec({
      query: statement,
      clickhouse_settings: clientSettings({ ...STATEMENT_SETTINGS, ...HTTP_SETTINGS, ...settings }),
      abort_signal: abort,
      values: body,
      query_id: id,
    })
    // The client observes the signal only until the response starts.
    return addAbortSignal(abort, stream)
  }

  async close(): Promise<void> {
    this.isClosed = true
    for (const statement of this.inFlight) statement.abort()
    await this.client.close()
  }
}

function clientSettings(settings: Settings): ClickHouseSettings {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
}

function isSecure(url: string): boolean {
  return new URL(url).protocol === 'https:'
}

/** The client's default TLS agent trusts only the given certificates and does not support a password with a certificate. */
async function tlsAgent({ ca, client }: ServerTls): Promise<Agent> {
  const { Agent } = await import('node:https')
  return new Agent({
    keepAlive: true,
    maxSockets: CONNECTIONS,
    ca,
    cert: client?.certificate,
    key: client?.key,
  })
}

/** Returns the options for a user who is authenticated by the certificate; with a password, it is only used for the connection. */
function certificateLogin({ url, user, password, tls }: ServerAddress) {
  if (user === undefined || password !== undefined || !tls?.client || !isSecure(url)) return {}
  // ClickHouse rejects requests with more than one authentication method.
  return {
    set_basic_auth_header: false,
    http_headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-SSL-Certificate-Auth': 'on' },
  }
}

function noResponse(url: string, timeoutMs: number): EngineError {
  const message = `${new URL(url).host}: no response within ${timeoutMs / 1000} s`
  return new EngineError('SOCKET_TIMEOUT', message)
}

function engineError(error: unknown, url: string): EngineError {
  const message = error instanceof Error ? error.message : String(error)
  const code = errorCode(error) ?? ''
  if (/^\d+$/.test(code)) return new EngineError(Number(code), message)
  const why = connectionErrorText(error) ?? (message || code)
  return new EngineError('NETWORK_ERROR', `${new URL(url).host}: ${why}`, { cause: error })
}
