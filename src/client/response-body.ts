import { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'
import { MalformedResponseError } from '../wire/http/response-json.js'
import type { HttpRequest } from './connection.js'
import { RESULT_BYTES } from './limits.js'

const MIB = 1024 * 1024
const SHORT_CHUNK = 4096
const BLOCK = 65_536

/** The body of a response while it is received. Its length is limited, because services and proxies are not trusted. */
export class ResponseBody {
  length = 0
  private readonly status: number
  private readonly advice: string
  private readonly limitBytes: number
  private readonly chunks: Buffer[] = []
  /** A buffer that gathers short chunks: a buffer per chunk of one byte would take a hundred times the memory. */
  private block: Buffer = Buffer.alloc(0)
  private used = 0

  constructor(status: number, purpose: HttpRequest['purpose']) {
    this.status = status
    this.advice = purpose === 'query' ? '; ask for fewer rows or columns at once' : ''
    this.limitBytes = limitOf(status, purpose)
  }

  get isTooLong(): boolean {
    return this.length > this.limitBytes
  }

  add(chunk: Buffer): void {
    this.length += chunk.length
    if (this.isTooLong) return
    if (chunk.length < SHORT_CHUNK) this.gather(chunk)
    else {
      this.flush()
      this.chunks.push(chunk)
    }
  }

  private gather(chunk: Buffer): void {
    if (this.used + chunk.length > this.block.length) {
      this.flush()
      this.block = Buffer.allocUnsafe(BLOCK)
    }
    chunk.copy(this.block, this.used)
    this.used += chunk.length
  }

  /** Moves the gathered bytes to the chunks. */
  private flush(): void {
    if (this.used > 0) this.chunks.push(this.block.subarray(0, this.used))
    this.block = this.block.subarray(this.used)
    this.used = 0
  }

  /**
   * Returns the body. Replaces the body of an error response that is too long by a message with its status. Throws
   * `MalformedResponseError` for a result that is too long.
   */
  whole(): ChunkedBuffer {
    this.flush()
    if (!this.isTooLong) return new ChunkedBuffer(this.chunks)
    const limit = `${this.limitBytes / MIB} MiB`
    if (isSuccess(this.status))
      throw new MalformedResponseError(`it is longer than ${limit}${this.advice}`)
    return ChunkedBuffer.of(
      `The service responded with status ${this.status} and a body of more than ${limit}, which was not read.`,
    )
  }
}

/** Returns the maximum length of a response. Results of queries can be long; other responses are short. */
function limitOf(status: number, purpose: HttpRequest['purpose']): number {
  if (!isSuccess(status)) return 16 * MIB
  return purpose === 'query' ? RESULT_BYTES : 64 * MIB
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
