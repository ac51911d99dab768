import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'
import type { ByteSource } from './byte-source.js'
import { StreamWaiter } from './stream-waiter.js'

/** The capacity of a pipe, so that no read returns more. */
const CHUNK_LENGTH = 64 * 1024
/** The maximum number of chunks that are buffered before the writer blocks. */
const MAX_CHUNKS = 16

/**
 * Reads a pipe or a socket, given its file descriptor. The kernel writes into the same few buffers, which stay in the
 * processor cache. Aborting `signal` ends the input.
 */
export function pipeBytes(fd: number, signal?: AbortSignal): ByteSource {
  const filled: Buffer<ArrayBuffer>[] = []
  const free: Buffer<ArrayBuffer>[] = []
  let next = Buffer.allocUnsafeSlow(CHUNK_LENGTH)
  let isSettling = false
  let hasGrown = false

  const options: SocketConstructorOpts & { onread: OnReadOpts } = {
    fd,
    readable: true,
    writable: false,
    // Node requests the next buffer right after each callback, even after a callback that pauses, and keeps the buffer.
    onread: { buffer: () => next, callback: takeIn },
  }
  const socket = new Socket(options)
  const arrival = new StreamWaiter({ stream: socket, hasBytes: () => filled.length > 0, signal })
  // Without this the end of the pipe would be reported only on request.
  socket.resume()

  function takeIn(length: number): boolean {
    filled.push(next.subarray(0, length))
    next = free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_LENGTH)
    hasGrown = true
    if (arrival.isWaitedFor && !isSettling) settle()
    return filled.length < MAX_CHUNKS
  }

  /** Delays the wake-up while bytes keep arriving: waking the reader for each chunk would cost more than the chunk. */
  function settle(): void {
    isSettling = hasGrown && filled.length < MAX_CHUNKS
    hasGrown = false
    if (isSettling) setImmediate(settle)
    else arrival.wake()
  }
  async function read(target: Buffer): Promise<number> {
    while (!arrival.hasNews()) await arrival.ready()
    let length = 0
    while (length < target.length && filled.length > 0) {
      const chunk = filled[0]!
      const taken = chunk.copy(target, length)
      length += taken
      if (taken < chunk.length) filled[0] = chunk.subarray(taken)
      else {
        filled.shift()
        free.push(Buffer.from(chunk.buffer))
      }
    }
    if (length > 0) socket.resume()
    else if (arrival.failure !== undefined) throw arrival.failure
    return length
  }
  return { ready: () => arrival.ready(), read, close: async () => arrival.close() }
}
