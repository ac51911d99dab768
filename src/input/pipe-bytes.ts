import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'
import type { ByteSource } from './byte-source.js'
import { StreamWaiter } from './stream-waiter.js'

/** What a pipe holds, so that one read never gives more. */
const PIECE_LENGTH = 64 * 1024
/** So many pieces may wait; then the writer waits too. */
const MOST_PIECES = 16

/**
 * A pipe or a socket, by its number. The system writes into the same few pieces of memory again and again,
 * which stay in the processor's cache. Aborting `signal` ends it where it is.
 */
export function pipeBytes(fd: number, signal?: AbortSignal): ByteSource {
  const filled: Buffer<ArrayBuffer>[] = []
  const free: Buffer<ArrayBuffer>[] = []
  let next = Buffer.allocUnsafeSlow(PIECE_LENGTH)
  let isSettling = false
  let hasGrown = false

  const options: SocketConstructorOpts & { onread: OnReadOpts } = {
    fd,
    readable: true,
    writable: false,
    // Node asks for the next buffer right after each callback, also after one that pauses, and then keeps to it.
    onread: { buffer: () => next, callback: takeIn },
  }
  const socket = new Socket(options)
  const arrival = new StreamWaiter({ stream: socket, hasBytes: () => filled.length > 0, signal })
  // Without this the end of the pipe would wait to be asked for.
  socket.resume()

  function takeIn(length: number): boolean {
    filled.push(next.subarray(0, length))
    next = free.pop() ?? Buffer.allocUnsafeSlow(PIECE_LENGTH)
    hasGrown = true
    if (arrival.isWaitedFor && !isSettling) settle()
    return filled.length < MOST_PIECES
  }

  /** Waking somebody for each piece would cost more than the piece: more may come with the next turn. */
  function settle(): void {
    isSettling = hasGrown && filled.length < MOST_PIECES
    hasGrown = false
    if (isSettling) setImmediate(settle)
    else arrival.wake()
  }
  async function read(target: Buffer): Promise<number> {
    while (!arrival.hasNews()) await arrival.ready()
    let length = 0
    while (length < target.length && filled.length > 0) {
      const piece = filled[0]!
      const taken = piece.copy(target, length)
      length += taken
      if (taken < piece.length) filled[0] = piece.subarray(taken)
      else {
        filled.shift()
        free.push(Buffer.from(piece.buffer))
      }
    }
    if (length > 0) socket.resume()
    else if (arrival.failure !== undefined) throw arrival.failure
    return length
  }
  return { ready: () => arrival.ready(), read, close: async () => arrival.close() }
}
