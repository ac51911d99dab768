import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { openStore, type Store } from '../../src/engine/store.js'
import { convertMessages } from '../../src/input/log/syslog/convert-messages.js'
import { type AppOptions, createService, type ServiceCore } from '../../src/service/app.js'
import type { Refusal } from '../../src/service/auth/audit.js'
import type { Grant } from '../../src/service/auth/grant.js'
import type { App } from '../../src/service/http.js'
import type { Intake } from '../../src/service/ingest/store-events.js'
import { DEFAULT_LIMITS, type Limits } from '../../src/service/limits.js'
import { type Listener, listen } from '../../src/service/listener/listen.js'
import type { Route } from '../../src/service/route.js'
import { ChunkedBuffer } from '../../src/wire/bytes/chunked-buffer.js'
import { openSharedEngine } from '../support/engine.js'
import { removeDirectory } from '../support/remove-directory.js'
import { until } from '../support/until.js'

/** 2026-01-01T12:00:00Z: the time of all events in these tests. */
export const NOW = 1_767_268_800_000_000_000n

/** Resolves when all files of bodies are removed. Meanwhile the rows of small batches may be stored from such files. */
export async function spoolIsEmpty({ spool }: Store): Promise<void> {
  await until(async () => (await readdir(spool)).length === 0, 'the files of bodies are removed')
}

/** The parts of a request that a test sets; the defaults are those of a client on the data directory's socket. */
export interface TestRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | readonly (string | Buffer)[] | AsyncIterable<string>
  readonly trusted?: boolean
  readonly remoteAddress?: string
  readonly signal?: AbortSignal
}

export interface TestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly bytes: Buffer
  /** The body as JSON; its shape is tested by the caller. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state their expectations
  readonly body: any
}

export type Send = (request: TestRequest) => Promise<TestResponse>

/** The service on its own store. */
export interface Running {
  readonly store: Store
  readonly reported: unknown[]
  /** The warnings for the operator. */
  readonly warned: string[]
  /** The logged refusals. */
  readonly refused: Refusal[]
  readonly send: Send
  /** The service as a function, for a listener. */
  readonly app: App
  /** The dependencies of storing events that do not arrive in requests. */
  readonly intake: Intake
  /** The same service with other limits, or with a default dataset. */
  limited(limits: Partial<Limits>, defaultDataset?: string): Send
  close(): Promise<void>
}

export interface RunOptions {
  /** The data directory, which is kept afterwards; by default a temporary one. */
  readonly directory?: string
  /** A personal token. */
  readonly token?: string
  /** The grants of other tokens. */
  readonly grants?: Readonly<Record<string, Grant>>
  /** All endpoints; by default those of the service. */
  readonly routes?: readonly Route[]
  /** The origins of web pages that may ingest and query. */
  readonly allowedOrigins?: readonly string[]
  /** The time for which a scan waits for the request for its next page, in milliseconds; `limited` keeps the default. */
  readonly scanIdleMs?: number
}

export async function run({
  token,
  grants = {},
  directory: given,
  routes,
  allowedOrigins,
  scanIdleMs,
}: RunOptions = {}): Promise<Running> {
  const directory = given ?? (await mkdtemp(join(tmpdir(), 'evq-service-')))
  const engine = await openSharedEngine(directory)
  const warned: string[] = []
  const store = await openStore({
    directory,
    now: () => NOW,
    warn: (message) => warned.push(message),
    ...(engine && { engine }),
  })
  const reported: unknown[] = []
  const refused: Refusal[] = []
  const serviceWith = (limits: Partial<Limits>, more: Partial<AppOptions> = {}): ServiceCore =>
    createService({
      store,
      access: {
        grantOf: async (given) =>
          given === token ? { name: 'test', personal: true } : grants[given],
        renameDataset: async () => 0,
      },
      limits: { ...DEFAULT_LIMITS, ...limits },
      ...(routes && { routes }),
      ...(allowedOrigins && { allowedOrigins }),
      ...more,
      loadSyslog: async () => convertMessages,
      now: () => NOW,
      report: (error) => reported.push(error),
      refused: (refusal) => refused.push(refusal),
    })
  const { app, intake } = serviceWith({}, scanIdleMs === undefined ? {} : { scanIdleMs })
  return {
    store,
    reported,
    warned,
    refused,
    app,
    intake,
    send: sender(app),
    limited: (limits, defaultDataset) =>
      sender(serviceWith(limits, defaultDataset === undefined ? {} : { defaultDataset }).app),
    async close() {
      await store.close()
      if (given === undefined) await removeDirectory(directory)
    },
  }
}

/** A service for all tests of a file that listens on a port. Internal errors fail the tests. */
export function listening(
  options: RunOptions,
): Pick<Running, 'store' | 'send' | 'limited'> & { readonly url: string } {
  let service: Running
  let listener: Listener
  beforeAll(async () => {
    service = await run(options)
    const address = { host: '127.0.0.1', port: 0 }
    listener = await listen({ app: service.app, address, trusted: false })
  })
  afterAll(async () => {
    await listener.close()
    await service.close()
    expect(service.reported).toEqual([])
  })
  return {
    get store() {
      return service.store
    },
    send: (request) => service.send(request),
    limited: (...options) => service.limited(...options),
    get url() {
      if (!('port' in listener.address)) throw new Error('no port')
      return `http://127.0.0.1:${listener.address.port}`
    },
  }
}

/** A service for all tests of a file, with events in its datasets. Internal errors fail the tests. */
export function runningWith(
  events: Readonly<Record<string, NonNullable<TestRequest['body']>>>,
): Pick<Running, 'store' | 'send' | 'limited'> {
  let service: Running
  beforeAll(async () => {
    service = await run()
    const headers = { 'content-type': 'application/x-ndjson' }
    for (const [dataset, body] of Object.entries(events)) {
      const { status, text } = await service.send({ path: `/v1/ingest/${dataset}`, headers, body })
      expect(status, text).toBe(200)
    }
  })
  afterAll(async () => {
    await service.close()
    expect(service.reported).toEqual([])
  })
  return {
    get store() {
      return service.store
    },
    send: (request) => service.send(request),
    limited: (limits) => service.limited(limits),
  }
}

export function sender(app: App): Send {
  return async (request) => {
    const { method = 'POST', path, headers = {}, body = [], trusted = true, signal } = request
    const url = new URL(path, 'http://localhost')
    const pieces = typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body
    const response = await app({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      body: piecewise(pieces),
      signal: signal ?? new AbortController().signal,
      trusted,
      ...(request.remoteAddress !== undefined && { remoteAddress: request.remoteAddress }),
    })
    const bytes = Buffer.concat(ChunkedBuffer.of(response.body).chunks)
    const text = bytes.toString()
    return {
      status: response.status,
      headers: response.headers ?? {},
      text,
      bytes,
      body:
        response.headers?.['content-type'] === 'application/json' ? JSON.parse(text) : undefined,
    }
  }
}

async function* piecewise(
  pieces: Iterable<string | Buffer> | AsyncIterable<string>,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece)
}
