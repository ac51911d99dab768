import type { Duplex } from 'node:stream'
import type { Exchange } from './exchange.js'

/** The time after which the connection is closed even if the client is still sending. */
const LINGER_MS = 2_000

const RESPONSES: Readonly<Record<string, readonly [line: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request head is too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Content Too Large',
    'The chunk extensions of the request are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request head did not arrive in time.'],
}

const MALFORMED = ['400 Bad Request', 'The request is not valid HTTP/1.1.'] as const

/** Connections whose rejection has been sent. The parser reports an error for each piece that they still send. */
const rejected = new WeakSet<Duplex>()

export function rejectMalformed(
  error: NodeJS.ErrnoException,
  { socket, exchange }: { readonly socket: Duplex; readonly exchange: Exchange | undefined },
): void {
  if (rejected.has(socket)) return
  const isLost = !socket.writable || error.code === 'ECONNRESET'
  // The bytes follow a complete request, for example because its declared length is too small. Its events may be stored, so its
  // response must reach the client.
  if (!isLost && exchange?.incoming.complete) {
    socket.removeAllListeners('data').resume()
    exchange.outgoing.once('close', () => socket.end())
    return
  }
  // The error response must not be written into a response that has started.
  if (isLost || exchange?.outgoing.headersSent) {
    socket.destroy()
    return
  }
  rejected.add(socket)
  const [line, message] = RESPONSES[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({ code: Number(line.slice(0, 3)), message })
  socket.end(
    `HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  // Closing a connection with unread bytes resets it, and the client would lose the response.
  socket.removeAllListeners('data').resume()
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(deadline))
}
