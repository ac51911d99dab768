import { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'
import { MalformedResponseError } from '../wire/http/response-json.js'
import type { HttpRequest } from './connection.js'
import { isSuccess } from './error.js'
import { RESULT_BYTES } from './limits.js'

const MIB = 1024 * 1024
const SHORT_CHUNK = 4096
const BLOCK = 65_536

/** Gathers the body of a response. Its length is limited, because services and proxies are not trusted. */
export function responseBody(status: number, purpose: HttpRequest['purpose']) {
  const limitBytes = limitOf(status, purpose)
  const chunks: Buffer[] = []
  let length = 0
  /** A buffer that gathers short chunks: a buffer per chunk of one byte would take a hundred times the memory. */
  let block: Buffer = Buffer.alloc(0)
  let used = 0

  /** Moves the gathered bytes to the chunks. */
  function flush(): void {
    if (used > 0) chunks.push(block.subarray(0, used))
    block = block.subarray(used)
    used = 0
  }

  const isTooLong = () => length > limitBytes

  return {
    length: () => length,
    isTooLong,
    add(chunk: Buffer): void {
      length += chunk.length
      if (isTooLong()) return
      if (chunk.length >= SHORT_CHUNK) {
        flush()
        chunks.push(chunk)
        return
      }
      if (used + chunk.length > block.length) {
        flush()
        block = Buffer.allocUnsafe(BLOCK)
      }
      chunk.copy(block, used)
      used += chunk.length
    },
    /**
     * Returns the body. Replaces the body of an error response that is too long by a message with its status. Throws
     * `MalformedResponseError` for a result that is too long.
     */
    whole(): ChunkedBuffer {
      flush()
      if (!isTooLong()) return new ChunkedBuffer(chunks)
      const limit = `${limitBytes / MIB} MiB`
      if (isSuccess(status)) {
        const advice = purpose === 'query' ? '; ask for fewer rows or columns at once' : ''
        throw new MalformedResponseError(`it is longer than ${limit}${advice}`)
      }
      return ChunkedBuffer.of(
        `The service responded with status ${status} and a body of more than ${limit}, which was not read.`,
      )
    },
  }
}

/** Returns the maximum length of a response. Results of queries can be long; other responses are short. */
function limitOf(status: number, purpose: HttpRequest['purpose']): number {
  if (!isSuccess(status)) return 16 * MIB
  return purpose === 'query' ? RESULT_BYTES : 64 * MIB
}
