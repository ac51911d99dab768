/** The size of the first layer; each layer is four times as large as the one before, up to 32 MiB. */
const FIRST_BITS = 2 ** 16
const GROWTH = 4
const MAX_BITS = 2 ** 28
/** With 24 bits and six probes for each hash, a full layer finds one of 8,000 others. */
const BITS_PER_HASH = 24
const PROBES = 6

/** The part of a hash that the filter uses: two integers of 32 bits. */
export interface HashWords {
  readonly low: number
  readonly high: number
}

/**
 * A Bloom filter: a set of hashes that finds all hashes that were added, and a few others. Beyond 15 million hashes it does not
 * grow, and finds more and more others.
 */
export class HashFilter {
  private readonly layers: Uint32Array[] = []
  /** The number of hashes for which the last layer has room. */
  private room = 0

  /** Adds a hash; returns false when the filter found it before. */
  add(hash: HashWords): boolean {
    if (this.has(hash)) return false
    const last = this.layers.at(-1)
    const layer = last === undefined || this.room === 0 ? this.grown(last) : last
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = position(layer, hash, probe)
      layer[bit >>> 5]! |= 1 << (bit & 31)
    }
    this.room--
    return true
  }

  has(hash: HashWords): boolean {
    return this.layers.some((layer) => isIn(layer, hash))
  }

  private grown(last: Uint32Array | undefined): Uint32Array {
    const bits = last === undefined ? FIRST_BITS : last.length * 32 * GROWTH
    if (last !== undefined && bits > MAX_BITS) return last
    const layer = new Uint32Array(bits / 32)
    this.layers.push(layer)
    this.room = Math.floor(bits / BITS_PER_HASH)
    return layer
  }
}

function isIn(layer: Uint32Array, hash: HashWords): boolean {
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = position(layer, hash, probe)
    if ((layer[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
  }
  return true
}

/** Returns the position of a bit. The size of a layer is a power of two, so an odd step visits different bits. */
function position(layer: Uint32Array, { low, high }: HashWords, probe: number): number {
  return ((low + Math.imul(probe, high | 1)) >>> 0) & (layer.length * 32 - 1)
}
