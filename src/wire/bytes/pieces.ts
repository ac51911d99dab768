/** Bytes as they come, piece by piece; they are made one only for who has to have them so. */
export class Pieces {
  readonly list: readonly Buffer[]
  readonly length: number

  constructor(list: readonly Buffer[]) {
    this.list = list
    this.length = list.reduce((sum, { length }) => sum + length, 0)
  }

  static of(bytes: string | Buffer | Pieces): Pieces {
    if (bytes instanceof Pieces) return bytes
    return new Pieces([typeof bytes === 'string' ? Buffer.from(bytes) : bytes])
  }

  /** All of them as text in UTF-8. */
  toString(): string {
    const [only] = this.list
    const whole = only !== undefined && this.list.length === 1 ? only : Buffer.concat(this.list)
    return whole.toString('utf8')
  }

  /** Puts them where there is room for so many. */
  copyTo(target: Uint8Array): void {
    let at = 0
    for (const piece of this.list) {
      target.set(piece, at)
      at += piece.length
    }
  }
}
