import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A running service, and a token that allows everything. */
export interface Target {
  readonly url: string
  readonly token: string
}

interface Sent {
  readonly path: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: 'POST' | 'DELETE'
  readonly body: string | Buffer
}

/** A new connection for each request: the service may close idle ones at any time. */
const agent = new Agent({ keepAlive: false, maxSockets: 64 })

/** Sends a request and returns the status. Rejects when the connection fails. */
export async function post({ url, token }: Target, sent: Sent): Promise<number> {
  const { method = 'POST', path, type = 'application/json', headers = {}, body } = sent
  const outgoing = request(`${url}${path}`, {
    method,
    agent,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      ...headers,
    },
  })
  outgoing.end(body)
  const [incoming] = await once(outgoing, 'response')
  for await (const _ of incoming);
  return incoming.statusCode
}

/** Runs a query of all time and returns the status. */
export function ask(target: Target, apl: string, more: object = {}): Promise<number> {
  const body = JSON.stringify({ apl, queryOptions: { disableCache: true }, ...more })
  return post(target, { path: '/v1/datasets/_apl?format=tabular', body })
}

/** Stores NDJSON and returns the status. */
export function store(target: Target, dataset: string, body: string | Buffer): Promise<number> {
  return post(target, { path: `/v1/ingest/${dataset}`, type: 'application/x-ndjson', body })
}

/** Removes a dataset and returns the status, which is 404 if there is none. */
export function remove(target: Target, dataset: string): Promise<number> {
  return post(target, { method: 'DELETE', path: `/v1/datasets/${dataset}`, body: '' })
}

/** Opens connections and returns a function that closes them. */
export async function connections(
  { url }: Target,
  count: number,
  text = '',
): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  for (let i = 0; i < count; i++) {
    const socket = connect(Number(port), hostname)
    // A service that closes some of them does what it should.
    socket.on('error', () => {})
    sockets.push(socket)
    if (i % 100 === 99) await once(socket, 'connect')
    if (text !== '') socket.write(text)
  }
  return async () => {
    for (const socket of sockets) socket.destroy()
  }
}
