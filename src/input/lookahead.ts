import type { ByteSource } from './byte-source.js'

const PIECE = 64 * 1024
/** What has not shown itself within so many bytes is not going to. */
const LONGEST = 1024 * 1024

/** The beginning of a source, as far as it had to be read to know what it is. */
export class Lookahead {
  head: Buffer = Buffer.alloc(0)
  private isWhole = false
  private readonly source: ByteSource

  constructor(source: ByteSource) {
    this.source = source
  }

  /** Whether it was read to the limit and still did not show what was looked for. */
  get isTooLong(): boolean {
    return !this.isWhole && this.head.length >= LONGEST
  }

  /** Reads on until `isEnough`; the last question is asked with all there is, or all that is looked at. */
  async until(isEnough: (head: Buffer, isWhole: boolean) => boolean): Promise<void> {
    while (!isEnough(this.head, this.isWhole || this.isTooLong)) {
      if (this.isWhole || this.isTooLong) return
      const piece = Buffer.allocUnsafe(PIECE)
      const length = await this.source.read(piece)
      if (length === 0) this.isWhole = true
      else this.head = Buffer.concat([this.head, piece.subarray(0, length)])
    }
  }
}
