import { CLOSE_BRACKET } from '../../text/bytes.js'
import type { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { spaceEnd, valueEnd } from '../../wire/json/json-bytes.js'

const LETTER_N = 0x6e
const NULL = Buffer.from('null')

/**
 * An iterator over the values of a column, as positions in the bytes of a JSON array. After the last value
 * it yields nulls. A large result has too many values to create a string for each.
 */
export class Cells {
  private readonly bytes: Buffer
  private start = 0
  private end = 0

  constructor(array: Buffer) {
    this.bytes = array
  }

  next(): this {
    const { bytes, end } = this
    if (bytes[end] === CLOSE_BRACKET) {
      this.start = end
      return this
    }
    const start = spaceEnd(bytes, end + 1)
    this.start = start
    this.end = valueEnd(bytes, start)
    if (this.end === -1) throw new Error('the values of a column end too soon')
    return this
  }

  get isNull(): boolean {
    return this.end === this.start || this.bytes[this.start] === LETTER_N
  }

  /** The value as a string; the value must be ASCII. */
  get text(): string {
    return this.bytes.toString('latin1', this.start, this.end)
  }

  addTo(out: ByteWriter): void {
    if (this.isNull) out.addBytes(NULL)
    else out.addBytes(this.bytes, this.start, this.end)
  }
}
