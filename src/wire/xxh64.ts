const STRIPE = 32
const MASK = 2n ** 64n - 1n
const P1 = 0x9e3779b185ebca87n
const P2 = 0xc2b2ae3d27d4eb4fn
const P3 = 0x165667b19e3779f9n
const P4 = 0x85ebca77c2b2ae63n
const P5 = 0x27d4eb2f165667c5n

/**
 * The hash XXH64 with seed 0, of which zstd puts the low half behind a frame. The long way through the
 * bytes goes in halves of 32 bits: big integers would be ten times as slow. Only the end is in them.
 * https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
 */
export class Xxh64 {
  /** Four accumulators, low half before high half. */
  private readonly lanes = halves([P1 + P2, P2, 0n, -P1])
  private readonly waiting = Buffer.alloc(STRIPE)
  private waitingBytes = 0
  private bytes = 0

  update(bytes: Buffer): void {
    this.bytes += bytes.length
    let at = 0
    if (this.waitingBytes > 0) {
      at = bytes.copy(this.waiting, this.waitingBytes)
      this.waitingBytes += at
      if (this.waitingBytes < STRIPE) return
      this.stripes(this.waiting, 0, STRIPE)
    }
    const end = bytes.length - ((bytes.length - at) % STRIPE)
    this.stripes(bytes, at, end)
    this.waitingBytes = bytes.copy(this.waiting, 0, end)
  }

  digest(): bigint {
    const lanes = [0, 1, 2, 3].map(
      (lane) => BigInt(this.lanes[2 * lane]!) | (BigInt(this.lanes[2 * lane + 1]!) << 32n),
    )
    let hash = P5
    if (this.bytes >= STRIPE) {
      hash = lanes.reduce((sum, lane, i) => sum + rotate(lane, [1n, 7n, 12n, 18n][i]!), 0n) & MASK
      for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * P1 + P4) & MASK
    }
    return avalanche(this.rest((hash + BigInt(this.bytes)) & MASK))
  }

  /** Takes in the bytes behind the last whole stripe. */
  private rest(start: bigint): bigint {
    const { waiting, waitingBytes } = this
    let hash = start
    let at = 0
    for (; at + 8 <= waitingBytes; at += 8) {
      hash ^= round(0n, waiting.readBigUInt64LE(at))
      hash = (rotate(hash, 27n) * P1 + P4) & MASK
    }
    for (; at + 4 <= waitingBytes; at += 4) {
      hash ^= (BigInt(waiting.readUInt32LE(at)) * P1) & MASK
      hash = (rotate(hash, 23n) * P2 + P3) & MASK
    }
    for (; at < waitingBytes; at += 1) {
      hash ^= (BigInt(waiting[at]!) * P5) & MASK
      hash = (rotate(hash, 11n) * P1) & MASK
    }
    return hash
  }

  private stripes(bytes: Buffer, from: number, to: number): void {
    const { lanes } = this
    for (let at = from; at < to; at += 8) {
      const lane = ((at - from) >>> 2) & 6
      const low =
        bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
      const high =
        bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24)
      // lane = rotate(lane + input * P2, 31) * P1
      const productLow = Math.imul(low, P2_LOW)
      const productHigh =
        multiplyHigh(low, P2_LOW) + Math.imul(low, P2_HIGH) + Math.imul(high, P2_LOW)
      const sum = lanes[lane]! + (productLow >>> 0)
      const carry = sum > 0xffffffff ? 1 : 0
      const sumLow = sum | 0
      const sumHigh = (lanes[lane + 1]! + productHigh + carry) | 0
      const turnedLow = (sumLow << 31) | (sumHigh >>> 1)
      const turnedHigh = (sumHigh << 31) | (sumLow >>> 1)
      lanes[lane] = Math.imul(turnedLow, P1_LOW)
      lanes[lane + 1] =
        multiplyHigh(turnedLow, P1_LOW) +
        Math.imul(turnedLow, P1_HIGH) +
        Math.imul(turnedHigh, P1_LOW)
    }
  }
}

const [P1_LOW, P1_HIGH, P2_LOW, P2_HIGH] = halves([P1, P2]) as unknown as readonly [
  number,
  number,
  number,
  number,
]

function halves(numbers: readonly bigint[]): Uint32Array {
  return Uint32Array.from(
    numbers.flatMap((n) => [Number(n & 0xffffffffn), Number((n >> 32n) & 0xffffffffn)]),
  )
}

/** The high half of the product of two halves, taken as unsigned. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff
  const aHigh = a >>> 16
  const bLow = b & 0xffff
  const bHigh = b >>> 16
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16)
  const carried = aLow * bHigh + (middle & 0xffff)
  return aHigh * bHigh + (middle >>> 16) + (carried >>> 16)
}

function round(lane: bigint, input: bigint): bigint {
  return (rotate((lane + input * P2) & MASK, 31n) * P1) & MASK
}

function rotate(n: bigint, by: bigint): bigint {
  return ((n << by) | (n >> (64n - by))) & MASK
}

function avalanche(hash: bigint): bigint {
  let mixed = ((hash ^ (hash >> 33n)) * P2) & MASK
  mixed = ((mixed ^ (mixed >> 29n)) * P3) & MASK
  return mixed ^ (mixed >> 32n)
}
