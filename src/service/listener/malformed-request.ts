import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long a client that is still sending may take to read what is wrong. */
const LINGER_MS = 2_000

const ANSWERS: Readonly<Record<string, readonly [line: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The head of the request is too long.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Content Too Large',
    'The chunk extensions of the request are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'The head of the request did not come in time.',
  ],
}

const NO_REQUEST = ['400 Bad Request', 'What was sent is not an HTTP/1.1 request.'] as const

/** Answers bytes that are no request, and ends their connection. */
export function answerBroken(
  error: NodeJS.ErrnoException,
  { socket, outgoing }: { readonly socket: Duplex; readonly outgoing: ServerResponse | undefined },
): void {
  // In the middle of an answer another one would be a part of it.
  if (!socket.writable || error.code === 'ECONNRESET' || outgoing?.headersSent) {
    socket.destroy()
    return
  }
  const [line, message] = ANSWERS[error.code ?? ''] ?? NO_REQUEST
  const body = JSON.stringify({ code: Number(line.slice(0, 3)), message })
  socket.end(
    `HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  // A connection that is closed with bytes unread is reset, and its client would lose the answer.
  socket.removeAllListeners('data').resume()
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(deadline))
}
