/** Data that is not valid zstd, or exceeds the limits. */
export class ZstdError extends Error {
  /** `truncated`: the data ends too early. `window`: a frame requires too much memory. `dictionary`: a frame needs a dictionary. */
  readonly kind: 'truncated' | 'corrupted' | 'window' | 'dictionary'

  constructor(kind: ZstdError['kind']) {
    super(`zstd: ${kind}`)
    this.name = 'ZstdError'
    this.kind = kind
  }
}
