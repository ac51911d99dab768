/** The number of bytes that are decoded at once: V8 allocates longer strings as large objects, which are collected late. */
const DECODED_AT_ONCE = 64 * 1024

/** The records of a batch in turn, in latin1. */
export class BatchRecords {
  private readonly body: Buffer
  private text = ''
  private textFrom = 0
  private textTo = 0

  constructor(body: Buffer) {
    this.body = body
  }

  /** Returns the record in a range, which begins after earlier records. */
  read(from: number, to: number): string {
    if (to > this.textTo) {
      this.textFrom = from
      this.textTo = Math.max(to, Math.min(this.body.length, from + DECODED_AT_ONCE))
      this.text = this.body.toString('latin1', from, this.textTo)
    }
    return this.text.slice(from - this.textFrom, to - this.textFrom)
  }
}
