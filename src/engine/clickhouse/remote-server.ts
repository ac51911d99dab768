import type { Agent } from 'node:https'
import { addAbortSignal, type Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { connectionErrorText, errorCode } from '../../text/system-error.js'
import { DATASETS } from '../catalog/database.js'
import { EngineError, SOCKET_TIMEOUT } from '../engine.js'
import { type Settings, STATEMENT_SETTINGS } from './settings.js'

/** A ClickHouse server and who asks it. */
export interface ServerAddress {
  readonly url: string
  readonly user?: string
  readonly password?: string
  readonly tls?: ServerTls
  /** Who asks, among all who do: the same after a crash, so that it can end what it left under way. */
  readonly name?: string
}

/** What a TLS connection needs beside what the system trusts: certificates and a key in PEM. */
interface ServerTls {
  readonly ca?: Buffer
  readonly client?: { readonly certificate: Buffer; readonly key: Buffer }
}

/** One statement on its way to a server. */
interface Exchange {
  /** The statement; where `body` holds all but its beginning, that. */
  readonly statement: string
  readonly settings?: Settings
  readonly body?: Readable
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** What the statement is called among those that run. */
  readonly id?: string
  /** How long the server may take; then it counts as one that can't be reached. */
  readonly timeoutMs?: number
}

const HTTP_SETTINGS = {
  database: DATASETS,
  // An error that comes when some of the answer is written would look like a part of it.
  wait_end_of_query: 1,
} as const satisfies Settings
const CONNECTIONS = 64
/** The longest that any statement takes. */
const MAX_TIMEOUT_MS = 600_000
/** What the store does by itself is quick; a server that stands still is not waited for. */
const DEFAULT_TIMEOUT_MS = 60_000
/** ClickHouse's own number for a connection that failed. */
const NETWORK_ERROR = 210

/** Speaks to one ClickHouse server over HTTP. */
export class RemoteServer {
  readonly url: string
  private readonly client: ClickHouseClient
  /** What ends each statement on its way. One signal for all of them would keep a little of each for ever. */
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
      ...(user !== undefined && { username: user }),
      ...(password !== undefined && { password }),
      ...(tls && isSecure(url) && { http_agent: await tlsAgent(tls) }),
      ...(user !== undefined && usesCertificateLogin(address) && certificateHeaders(user)),
      request_timeout: MAX_TIMEOUT_MS,
      max_open_connections: CONNECTIONS,
      log: { level: ClickHouseLogLevel.OFF },
    })
    return new RemoteServer(url, client)
  }

  /** What the server answers. */
  async send(exchange: Exchange): Promise<Buffer> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = exchange
    if (this.isClosed) throw new EngineError({ code: 236, message: 'the engine is closed' })
    const own = new AbortController()
    const timer = setTimeout(() => own.abort(noResponse(this.url, timeoutMs)), timeoutMs)
    this.inFlight.add(own)
    const either = signal === undefined ? [own.signal] : [own.signal, signal]
    try {
      return await this.execute(exchange, AbortSignal.any(either))
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (own.signal.reason instanceof EngineError) throw own.signal.reason
      throw engineError(error, this.url)
    } finally {
      clearTimeout(timer)
      this.inFlight.delete(own)
    }
  }

  private async execute(
    { statement, settings, body, headers, id }: Exchange,
    abort: AbortSignal,
  ): Promise<Buffer> {
    abort.throwIfAborted()
    const { stream } = await this.client.exec({
      query: statement,
      clickhouse_settings: clientSettings({ ...STATEMENT_SETTINGS, ...HTTP_SETTINGS, ...settings }),
      abort_signal: abort,
      ...(body && { values: body }),
      ...(id !== undefined && { query_id: id }),
      ...(headers && { http_headers: headers }),
    })
    const pieces: Buffer[] = []
    // The client heeds the signal only until an answer begins.
    for await (const piece of addAbortSignal(abort, stream)) pieces.push(piece)
    return Buffer.concat(pieces)
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

/** The client's own agent for TLS trusts only what it is told of, and has no use for a password beside a certificate. */
async function tlsAgent({ ca, client }: ServerTls): Promise<Agent> {
  const { Agent } = await import('node:https')
  return new Agent({
    keepAlive: true,
    maxSockets: CONNECTIONS,
    ...(ca && { ca }),
    ...(client && { cert: client.certificate, key: client.key }),
  })
}

/** Whether the certificate says who asks; beside a password it only opens the connection. */
function usesCertificateLogin({ url, password, tls }: ServerAddress): boolean {
  return isSecure(url) && tls?.client !== undefined && password === undefined
}

/** ClickHouse takes one way of telling who asks, and none beside it. */
function certificateHeaders(user: string) {
  return {
    set_basic_auth_header: false,
    http_headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-SSL-Certificate-Auth': 'on' },
  }
}

function noResponse(url: string, timeoutMs: number): EngineError {
  const message = `${new URL(url).host}: no answer within ${timeoutMs / 1000} s`
  return new EngineError({ code: SOCKET_TIMEOUT, message })
}

function engineError(error: unknown, url: string): EngineError {
  if (error instanceof EngineError) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = errorCode(error) ?? ''
  if (/^\d+$/.test(code)) return new EngineError({ code: Number(code), message })
  const why = connectionErrorText(error) ?? (message || code)
  return new EngineError({
    code: NETWORK_ERROR,
    message: `${new URL(url).host}: ${why}`,
    cause: error,
  })
}
