import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type RunningService, serve } from '../../src/local/serve.js'
import type { Limits } from '../../src/service/limits.js'
import { testClickHouse, testEngineFlags } from '../support/engine.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { temporaryDirectory } from '../support/temporary.js'

/** The parts of a request that a test sets; the token is the service's first one by default. */
export interface Sent {
  readonly method?: string
  readonly path: string
  /** The `Content-Type`; not sent when absent. */
  readonly type?: string
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown
  /** Another token, or null for a request without one. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; its shape is what the test is about. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects there
  readonly body: any
}

/** The running service, accessed like a third-party client. */
export interface SpecifiedService {
  address(): string
  /** The personal token that the service created at its first start. */
  firstToken(): string
  /** The API token of the first start. */
  firstApiToken(): string
  send(sent: Sent): Promise<Answered>
  /** Sends events, as JSON by default. */
  ingest(dataset: string, body: unknown, more?: Partial<Sent>): Promise<Answered>
  /** Runs an APL query, given as text or as a whole request. */
  query(request: string | object, more?: Partial<Sent>): Promise<Answered>
  /** The rows of a query, each as its values in order. */
  rows(request: string | object): Promise<readonly (readonly unknown[])[]>
  legacy(dataset: string, request: object): Promise<Answered>
  /** Creates a token with `evq token create`. */
  makeToken(name: string, ...allows: readonly string[]): Promise<string>
  revokeToken(name: string): Promise<void>
}

/** Starts the service of `evq serve` for this test file and stops it after the last test. Internal errors fail the tests. */
export function specifiedService(limits: Partial<Limits> = {}): SpecifiedService {
  const directory = join(temporaryDirectory(), 'data')
  const reported: unknown[] = []
  let running: RunningService
  let where: readonly string[] = []
  let url = ''
  let first = ''
  let firstApi = ''

  beforeAll(async () => {
    where = await testEngineFlags()
    running = await serve({
      directory,
      host: '127.0.0.1',
      port: 0,
      limits,
      now: () => BigInt(Date.now()) * 1_000_000n,
      report: (error) => reported.push(error),
      ...(await testClickHouse()),
    })
    const { token = '', apiToken = '' } = running
    url = running.url
    first = token
    firstApi = apiToken
  })
  afterAll(async () => {
    await running.close()
    expect(reported).toEqual([])
  })

  async function send({ method = 'POST', path, ...sent }: Sent): Promise<Answered> {
    const token = sent.token === undefined ? first : sent.token
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(sent.type !== undefined && { 'content-type': sent.type }),
        ...sent.headers,
      },
      ...(sent.body !== undefined && { body: bytesOf(sent.body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    const { status, headers } = response
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined }
  }
  const token = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await evqInProcess(['token', ...args, ...where], {
      directory,
    })
    if (status !== 0) throw new Error(stderr)
    return stdout
  }
  const post = (path: string, body: unknown, more: Partial<Sent> = {}) =>
    send({ path, type: 'application/json', body, ...more })
  const query: SpecifiedService['query'] = (request, more) => {
    const body = typeof request === 'string' ? { apl: request } : request
    return post('/v1/datasets/_apl?format=tabular', body, more)
  }

  return {
    address: () => url,
    firstToken: () => first,
    firstApiToken: () => firstApi,
    send,
    ingest: (dataset, body, more) => post(`/v1/ingest/${dataset}`, body, more),
    query,
    async rows(request) {
      const { status, text, body } = await query(request)
      if (status !== 200) throw new Error(text)
      const { columns } = body.tables[0] as { readonly columns: readonly (readonly unknown[])[] }
      return (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]))
    },
    legacy: (dataset, request) => post(`/v1/datasets/${dataset}/query`, request),
    async makeToken(name, ...allows) {
      return (await token('create', name, ...allows)).trim()
    },
    async revokeToken(name) {
      await token('revoke', name)
    },
  }
}

/** Bytes, so that `fetch` adds no media type. */
function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body)
  return new Uint8Array(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
}
