import type { Readable } from 'node:stream'
import { rootCertificates } from 'node:tls'
import type {
  ClickHouseClient,
  ClickHouseClientConfigOptions,
  ClickHouseSettings,
} from '@clickhouse/client'
import { DATASETS } from './database.js'
import { EngineError } from './engine.js'
import { type Settings, STATEMENT_SETTINGS } from './settings.js'

/** A ClickHouse server and who asks it. */
export interface ServerAddress {
  readonly url: string
  readonly user?: string
  readonly password?: string
  readonly tls?: ServerTls
}

/** What a TLS connection needs beside what the system trusts: certificates and a key in PEM. */
export interface ServerTls {
  readonly ca?: Buffer
  readonly client?: { readonly certificate: Buffer; readonly key: Buffer }
}

/** One statement on its way to a server. */
export interface Exchange {
  /** The statement; where `body` holds all but its beginning, that. */
  readonly statement: string
  readonly settings?: Settings
  readonly body?: Readable
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

const HTTP_SETTINGS = {
  database: DATASETS,
  // An error that comes when some of the answer is written would look like a part of it.
  wait_end_of_query: 1,
} as const satisfies Settings
const CONNECTIONS = 64
/** Nothing comes over a connection while a statement runs; what limits that is told to the server. */
const SILENCE_MS = 600_000
/** ClickHouse's own numbers for what became of a connection. */
export const UNREACHABLE = 210

/** Speaks to one ClickHouse server over HTTP. */
export class RemoteServer {
  readonly url: string
  private readonly client: ClickHouseClient
  private readonly closing = new AbortController()

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
      ...(tls && { tls: tlsOptions(tls) }),
      request_timeout: SILENCE_MS,
      max_open_connections: CONNECTIONS,
      log: { level: ClickHouseLogLevel.OFF },
    })
    return new RemoteServer(url, client)
  }

  /** What the server answers. */
  async send({ statement, settings, body, headers, signal }: Exchange): Promise<Buffer> {
    const either = signal === undefined ? [this.closing.signal] : [this.closing.signal, signal]
    const abort = AbortSignal.any(either)
    abort.throwIfAborted()
    try {
      const { stream } = await this.client.exec({
        query: statement,
        clickhouse_settings: written({ ...STATEMENT_SETTINGS, ...HTTP_SETTINGS, ...settings }),
        abort_signal: abort,
        ...(body && { values: body }),
        ...(headers && { http_headers: headers }),
      })
      const pieces: Buffer[] = []
      for await (const piece of stream) pieces.push(piece)
      return Buffer.concat(pieces)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw engineError(error, this.url)
    }
  }

  async close(): Promise<void> {
    this.closing.abort(new EngineError({ code: 236, message: 'the engine is closed' }))
    await this.client.close()
  }
}

function written(settings: Settings): ClickHouseSettings {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
}

function tlsOptions({ ca, client }: ServerTls): NonNullable<ClickHouseClientConfigOptions['tls']> {
  // Node takes what the system trusts when it is told of no authority; the client's types want one.
  const ca_cert = ca ?? rootCertificates.join('\n')
  if (client === undefined) return { ca_cert: Buffer.from(ca_cert) }
  return { ca_cert: Buffer.from(ca_cert), cert: client.certificate, key: client.key }
}

function engineError(error: unknown, url: string): EngineError {
  if (error instanceof EngineError) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^\d+$/.test(code)) return new EngineError({ code: Number(code), message })
  return new EngineError({ code: UNREACHABLE, message: `${new URL(url).host}: ${message || code}` })
}
