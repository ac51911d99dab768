/** Data is not valid zstd, or exceeds the limits. */
export class ZstdError extends Error {
  /** `cut`: it ends too early. `window`: it requires too much memory. `dictionary`: it needs a dictionary. */
  readonly kind: 'truncated' | 'corrupted' | 'window' | 'dictionary'

  constructor(kind: ZstdError['kind']) {
    super(`zstd: ${kind}`)
    this.name = 'ZstdError'
    this.kind = kind
  }
}
