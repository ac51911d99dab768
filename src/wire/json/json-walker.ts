import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../text/bytes.js'

/**
 * Walks the structure of JSON, in a string or in bytes. Callbacks read the values. Throws the error of `malformed` when the
 * structure is invalid.
 */
export abstract class JsonWalker {
  protected at = 0

  /** Object : `{` (String `:` Value (`,` String `:` Value)*)? `}`; `member` must read or skip the value. */
  object(member: (key: string) => void): void {
    this.expect(OPEN_BRACE)
    if (this.take(CLOSE_BRACE)) return
    do member(this.memberKey())
    while (this.take(COMMA))
    this.expect(CLOSE_BRACE)
  }

  /** Array : `[` (Value (`,` Value)*)? `]`; `element` must read or skip the value. */
  array(element: () => void): void {
    this.expect(OPEN_BRACKET)
    if (this.take(CLOSE_BRACKET)) return
    do element()
    while (this.take(COMMA))
    this.expect(CLOSE_BRACKET)
  }

  /** Yields the keys of an object. The value of a key must be read or skipped before the next key. */
  *members(): Generator<string, void> {
    this.expect(OPEN_BRACE)
    if (this.take(CLOSE_BRACE)) return
    do yield this.memberKey()
    while (this.take(COMMA))
    this.expect(CLOSE_BRACE)
  }

  /** Yields the indices of the elements of an array. An element must be read or skipped before the next index. */
  *elements(): Generator<number, void> {
    this.expect(OPEN_BRACKET)
    if (this.take(CLOSE_BRACKET)) return
    let index = 0
    do yield index++
    while (this.take(COMMA))
    this.expect(CLOSE_BRACKET)
  }

  /** Skips `null` and returns true if it is next. */
  takeNull(): boolean {
    this.skipSpace()
    if (!this.isNull()) return false
    this.at += 'null'.length
    return true
  }

  /** Throws unless only white space follows. */
  end(): void {
    this.skipSpace()
    if (!this.isAtEnd()) throw this.malformed('the end')
  }

  /** The character or byte at the position; undefined or `NaN` at the end. */
  protected abstract code(): number | undefined
  protected abstract key(): string
  protected abstract isNull(): boolean
  protected abstract isAtEnd(): boolean
  protected abstract skipSpace(): void
  protected abstract malformed(expected: string): Error

  private memberKey(): string {
    this.skipSpace()
    if (this.code() !== QUOTE) throw this.malformed('an object key')
    const key = this.key()
    this.expect(COLON)
    return key
  }

  private expect(code: number): void {
    if (!this.take(code)) throw this.malformed(`\`${String.fromCharCode(code)}\``)
  }

  private take(code: number): boolean {
    this.skipSpace()
    if (this.code() !== code) return false
    this.at += 1
    return true
  }
}
