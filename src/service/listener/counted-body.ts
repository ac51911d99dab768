/** A body that counts the bytes received. */
export class CountedBody implements AsyncIterable<Buffer> {
  private readonly body: AsyncIterable<Buffer>
  #bytes = 0

  constructor(body: AsyncIterable<Buffer>) {
    this.body = body
  }

  get bytes(): number {
    return this.#bytes
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    for await (const piece of this.body) {
      this.#bytes += piece.length
      yield piece
    }
  }
}
