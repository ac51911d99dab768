/** Data that is not whole zstd data, or more than this program unpacks. */
export class ZstdError extends Error {
  /** `window`: it asks for too much memory. `dictionary`: it was packed with one, which is not here. */
  readonly kind: 'cut' | 'damaged' | 'window' | 'dictionary'

  constructor(kind: ZstdError['kind']) {
    super(`zstd: ${kind}`)
    this.name = 'ZstdError'
    this.kind = kind
  }
}
