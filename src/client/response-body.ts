import { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'
import { MalformedResponseError } from '../wire/http/response-json.js'
import type { HttpRequest } from './connection.js'

const MIB = 1024 * 1024

/** The body of a response while it is received. Its length is limited, because a service or proxy decides about it. */
export class ResponseBody {
  private readonly status: number
  private readonly limitBytes: number
  private readonly chunks: Buffer[] = []
  private length = 0

  constructor(status: number, purpose: HttpRequest['purpose']) {
    this.status = status
    this.limitBytes = limitOf(status, purpose)
  }

  get isTooLong(): boolean {
    return this.length > this.limitBytes
  }

  add(chunk: Buffer): void {
    this.length += chunk.length
    if (!this.isTooLong) this.chunks.push(chunk)
  }

  /**
   * Returns the body. An error response that is too long keeps its status only; throws `MalformedResponseError` for a
   * result that is too long.
   */
  whole(): ChunkedBuffer {
    if (!this.isTooLong) return new ChunkedBuffer(this.chunks)
    const limit = `${this.limitBytes / MIB} MiB`
    if (isSuccess(this.status)) throw new MalformedResponseError(`it is longer than ${limit}`)
    return ChunkedBuffer.of(
      `The service responded with status ${this.status} and a body of more than ${limit}, which was not read.`,
    )
  }
}

/** Results of queries grow with their rows; other responses are short. */
function limitOf(status: number, purpose: HttpRequest['purpose']): number {
  if (!isSuccess(status)) return 16 * MIB
  return purpose === 'query' ? 2048 * MIB : 64 * MIB
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
