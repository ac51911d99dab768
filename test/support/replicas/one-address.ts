import { createServer, type IncomingMessage, request as sendOn } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ClickHouseServer } from '../clickhouse-server.js'

/** One address in front of several servers, like that of a managed ClickHouse. */
export interface OneAddress {
  readonly url: string
  stop(): void
}

const EVERYWHERE = /^\s*(?:CREATE|DROP|RENAME|KILL|SYSTEM)\b/i
const ENGINE = /ENGINE\s*=\s*((?:Aggregating|Replacing)?MergeTree)\s*(?:\(([^()]*)\))?/i

interface AddressOptions {
  /** Creates replicated tables where a statement says `MergeTree`, as managed services do. */
  readonly replicates: boolean
}

/** Starts an address whose requests reach the servers in turn; statements that create or drop something reach all of them. */
export async function startAddress(
  servers: readonly ClickHouseServer[],
  { replicates }: AddressOptions,
): Promise<OneAddress> {
  let turn = 0
  const proxy = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const url = new URL(request.url ?? '', 'http://address')
      // Bodies with files follow a statement that only begins in the address, or are forms.
      const isStatement =
        !url.searchParams.has('query') && !request.headers['content-type']?.includes('multipart')
      const text = isStatement ? await textOf(request) : undefined
      const body = text === undefined ? undefined : replicates ? replicated(text) : text
      const isEverywhere = body !== undefined && EVERYWHERE.test(body)
      const first = turn++ % servers.length
      const order = servers.map((_, i) => servers[(first + i) % servers.length]!)
      let answer: IncomingMessage | undefined
      for (const { url: to } of isEverywhere ? order : order.slice(0, 1)) {
        answer?.resume()
        answer = await forward(request, to, body)
      }
      response.writeHead(answer?.statusCode ?? 502, answer?.headers)
      answer?.pipe(response)
    }
    serve().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/** Returns the statement with the engine of a table replaced. */
function replicated(statement: string): string {
  return statement.replace(ENGINE, (_, family: string, parameters?: string) => {
    const more = parameters ? `, ${parameters}` : ''
    return `ENGINE = Replicated${family}('/managed/{database}/{table}', '{replica}'${more})`
  })
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

function forward(
  request: IncomingMessage,
  to: string,
  body: string | undefined,
): Promise<IncomingMessage> {
  const { method, url } = request
  const { 'transfer-encoding': _, 'content-length': __, ...headers } = request.headers
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const onward = sendOn(
      new URL(url ?? '', to),
      { method, headers: { ...headers, ...length, host: new URL(to).host }, agent: false },
      resolve,
    )
    onward.on('error', reject)
    if (body === undefined) request.pipe(onward)
    else Readable.from([body]).pipe(onward)
  })
}
