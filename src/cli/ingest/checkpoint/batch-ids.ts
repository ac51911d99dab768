/** Ids that differ only in a number at their end: their common prefix, the first and the last number. */
type IdRange = readonly [prefix: string, first: number, last: number]

/** A list of batch ids. The ids of a run are numbered, so that a few ranges contain most of them. */
export type EncodedIds = readonly (string | IdRange)[]

/** A compact set of the ids of batches that may be stored. */
export class BatchIds {
  private readonly ranges: [prefix: string, first: number, last: number][] = []
  /** The ids of parts of batches. */
  private readonly others = new Set<string>()

  constructor(encoded: EncodedIds = []) {
    this.addAll(encoded)
  }

  get isEmpty(): boolean {
    return this.ranges.length + this.others.size === 0
  }

  add(id: string): void {
    const [, prefix, digits] = /^(.*-)([1-9]\d{0,8})$/.exec(id) ?? []
    if (prefix === undefined) this.others.add(id)
    else this.addRange([prefix, Number(digits), Number(digits)])
  }

  addAll(encoded: EncodedIds): void {
    for (const one of encoded) {
      if (typeof one === 'string') this.add(one)
      else this.addRange(one)
    }
  }

  encode(): EncodedIds {
    return [...this.ranges, ...this.others]
  }

  /** Yields all ids in chunks of at most `size`. */
  *chunks(size: number): Generator<readonly string[]> {
    let chunk: string[] = []
    for (const id of this.each()) {
      chunk.push(id)
      if (chunk.length < size) continue
      yield chunk
      chunk = []
    }
    if (chunk.length > 0) yield chunk
  }

  private *each(): Generator<string> {
    for (const [prefix, first, last] of this.ranges) {
      for (let number = first; number <= last; number++) yield `${prefix}${number}`
    }
    yield* this.others
  }

  /** Adds a range whose numbers are either all in one known range, or in no known range. */
  private addRange([prefix, first, last]: IdRange): void {
    const own = this.ranges.filter((range) => range[0] === prefix)
    if (own.some((range) => range[1] <= first && last <= range[2])) return
    const previous = own.find((range) => range[2] === first - 1)
    if (previous === undefined) this.ranges.push([prefix, first, last])
    else previous[2] = last
  }
}
