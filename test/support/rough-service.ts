import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterEach } from 'vitest'

/** The ways in which a service rejects events. */
export type Refusing =
  /** The others are stored, as the local service does it. */
  | 'each'
  /** The same, in the words of a hosted service, which names no places. */
  | 'each, without place'
  /** Nothing is stored, with `400`. */
  | 'whole'
  | 'whole, by index'
  | 'whole, by index from 1'

/** The failures of a request that do not depend on its body. */
export type Mishap =
  | 'none'
  | 'slow'
  | 'cut before'
  | 'cut after'
  | 'half a response'
  | 'garbage'
  | 'garbage before'
  | '429'
  | '500 before'
  | '500 after'
  | '503'
  | '413'

export interface RoughOptions {
  readonly refuses?: Refusing
  readonly isBad?: (event: string) => boolean
  /** A larger body is refused with 413. */
  readonly mostBytes?: number
  /** True when a batch with a known id is not stored again. */
  readonly knowsBatchIds?: boolean
  readonly mishap?: (request: number) => Mishap
  /** The delay of `slow`. */
  readonly slowMs?: number
  /** Headers of the response to a failure. */
  readonly retryAfter?: string
  readonly encodings?: readonly string[]
}

const running = new Set<RoughService>()

afterEach(async () => {
  await Promise.all([...running].map((service) => service.stop()))
})

/** A third-party service on loopback that stores what it acknowledges and fails in many ways. */
export async function roughService(options: RoughOptions = {}) {
  const service = new RoughService(options)
  await service.listen()
  running.add(service)
  return service
}

class RoughService {
  url = ''
  /** The stored events in order of arrival. */
  readonly events: string[] = []
  /** The received CSV headers. */
  readonly heads = new Set<string>()
  /** The ids of the batches in order of arrival. */
  readonly ids: string[] = []
  readonly headers: IncomingMessage['headers'][] = []
  readonly urls: string[] = []
  requests = 0
  /** The number of requests that were rejected as a whole. */
  refused = 0
  private readonly options: RoughOptions
  private readonly server = createServer((request, response) => void this.handle(request, response))
  private readonly answers = new Map<string, string>()

  constructor(options: RoughOptions) {
    this.options = options
  }

  async listen(): Promise<void> {
    // Otherwise a process that stood still for five seconds would cut the connection that it is about to use.
    this.server.keepAliveTimeout = 0
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    running.delete(this)
    if (!this.server.listening) return
    const closed = new Promise((resolve) => this.server.close(resolve))
    this.server.closeAllConnections()
    await closed
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await buffer(request).catch(() => undefined)
    // The client is gone.
    if (received === undefined) return
    const number = this.requests
    this.requests += 1
    this.headers.push(request.headers)
    this.urls.push(request.url ?? '')
    const id = String(request.headers['x-service-batch-id'] ?? '')
    this.ids.push(id)
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (!(this.options.encodings ?? ['identity']).includes(encoding)) {
      this.refused += 1
      return respond(response, 415, { message: `The encoding ${encoding} is not known.` })
    }
    const body = encoding === 'gzip' ? gunzipSync(received) : received
    // The field names of CSV may be in a header of the request, and then the first line is data.
    const hasFields = request.headers['x-service-csv-fields'] !== undefined
    const type = hasFields ? 'text/csv; bare' : (request.headers['content-type'] ?? '')
    await this.carryOut(response, {
      id,
      body,
      type,
      mishap: this.options.mishap?.(number) ?? 'none',
    })
  }

  private async carryOut(
    response: ServerResponse,
    { id, body, type, mishap }: { id: string; body: Buffer; type: string; mishap: Mishap },
  ): Promise<void> {
    const store = () => this.store(id, { body, type })
    const { retryAfter = '0.01' } = this.options
    switch (mishap) {
      case 'none':
        return send(response, store())
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, this.options.slowMs ?? 15))
        return send(response, store())
      case 'cut before':
        return void response.socket?.resetAndDestroy()
      case 'cut after':
        store()
        return void response.socket?.resetAndDestroy()
      case 'half a response': {
        const { status, text } = store()
        response.writeHead(status, { 'content-length': text.length })
        response.write(text.slice(0, text.length / 2))
        return void setTimeout(() => response.socket?.destroy(), 5)
      }
      case 'garbage':
        store()
        return void response.end('<html>welcome</html>')
      case 'garbage before':
        return void response.end('<html>welcome</html>')
      case '429':
        response.setHeader('retry-after', retryAfter)
        return respond(response, 429, { message: 'Too many requests.' })
      case '500 before':
        return respond(response, 500, { message: 'Oh.' })
      case '500 after':
        store()
        return respond(response, 500, { message: 'Oh.' })
      case '503':
        return respond(response, 503, { message: 'Not now.' })
      case '413':
        return respond(response, 413, { message: 'Too large.' })
      default:
        mishap satisfies never
    }
  }

  /** Stores the valid events and returns the response. */
  private store(id: string, { body, type }: { body: Buffer; type: string }) {
    const known = this.options.knowsBatchIds ? this.answers.get(id) : undefined
    if (known !== undefined) return { status: 200, text: known }
    const { mostBytes = Number.POSITIVE_INFINITY } = this.options
    if (body.length > mostBytes) return this.refuse(413, 'The body is too large.')
    const events = this.eventsIn(body.toString('utf8'), type)
    const { isBad = () => false, refuses = 'each' } = this.options
    const bad = events.flatMap((event, index) => (isBad(event) ? [index] : []))
    const [first] = bad
    if (first !== undefined && refuses.startsWith('whole')) {
      const place = { whole: '', 'whole, by index': `index ${first}: ` }[refuses as string]
      return this.refuse(400, `${place ?? `index ${first + 1}: `}it is bad`)
    }
    this.events.push(...events.filter((event) => !isBad(event)))
    const failures = bad.map((index) => ({
      timestamp: '2026-01-01T00:00:00Z',
      error: 'it is bad',
      ...(refuses === 'each' && { index }),
    }))
    const counts = { ingested: events.length - bad.length, failed: bad.length, failures }
    const text = JSON.stringify({ ...counts, processedBytes: body.length })
    if (id !== '') this.answers.set(id, text)
    return { status: 200, text }
  }

  private refuse(status: number, message: string) {
    this.refused += 1
    return { status, text: JSON.stringify({ code: status, message }) }
  }

  private eventsIn(text: string, type: string): readonly string[] {
    if (type === 'text/csv; bare') return records(text)
    if (type !== 'text/csv')
      return text.split('\n').flatMap((line) => line.replace(/^ +| +$/g, '') || [])
    const [head = '', ...rows] = records(text)
    this.heads.add(head)
    return rows
  }
}

/** The records of a CSV text; quoted fields may contain line ends. */
function records(text: string): readonly string[] {
  return [...text.matchAll(/(?:[^"\r\n]|"[^"]*")+/g)].map(([record]) => record)
}

function respond(response: ServerResponse, status: number, body: object): void {
  send(response, { status, text: JSON.stringify(body) })
}

function send(response: ServerResponse, { status, text }: { status: number; text: string }): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(text)
}
