import { isIPv6 } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** So many wrong tokens an address may bring without delay, since a mistake is often made more than once. */
const FREE = 20
/** Each one more is answered so much after the one before. */
const STEP_MS = 200
/** However many come at once, none is kept longer: it holds a connection. */
const LONGEST_MS = 2_000
/** The most addresses that are remembered; the one that failed longest ago is forgotten first. */
const ADDRESSES = 10_000

/** Slows down whoever brings wrong tokens, by the address they come from. A right token is never kept waiting. */
export class AuthThrottle {
  /** When the failures of an address are paid off, in milliseconds; in the order of their last one. */
  private readonly paidOff = new LRUCache<string, number>({ max: ADDRESSES })
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Counts one more failure and says how long its answer is to be held back. */
  countFailure(address: string): number {
    const network = networkOf(address)
    const now = this.now()
    const paidOff = Math.max(this.paidOff.get(network) ?? 0, now) + STEP_MS
    const waitMs = paidOff - now - FREE * STEP_MS
    this.paidOff.set(network, Math.min(paidOff, now + FREE * STEP_MS + LONGEST_MS))
    return Math.min(Math.max(waitMs, 0), LONGEST_MS)
  }

  /** Counts one more failure and holds its answer back, unless the caller goes away. */
  async delayResponse(address: string, signal: AbortSignal): Promise<void> {
    const waitMs = this.countFailure(address)
    if (waitMs > 0) await delay(waitMs, undefined, { signal, ref: false }).catch(() => {})
  }

  get size(): number {
    return this.paidOff.size
  }
}

/** Who has one IPv6 address has all of its /64. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('%', 1)[0]!.split('::', 2)
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
