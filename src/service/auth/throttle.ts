import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** The number of failures that are not delayed, since a wrong configuration often fails more than once. */
const FREE_FAILURES = 20
/** The additional delay per failure. */
const STEP_MS = 200
/** The maximum delay, since a delayed request holds a connection. */
const MAX_DELAY_MS = 2_000
/** The maximum number of networks to track; the least recently used one is evicted. */
const MAX_NETWORKS = 10_000

/** Throttles authentication failures per network (a leaky bucket). Requests with a valid token are never delayed. */
export class AuthThrottle {
  /** The time in milliseconds at which a network's bucket is empty. */
  private readonly paidOff = new LRUCache<string, number>({ max: MAX_NETWORKS })
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Counts a failure and returns the delay of its response in milliseconds. */
  countFailure(address: string): number {
    const network = networkOf(address)
    const now = this.now()
    const paidOff = Math.max(this.paidOff.get(network) ?? 0, now) + STEP_MS
    const waitMs = paidOff - now - FREE_FAILURES * STEP_MS
    this.paidOff.set(network, Math.min(paidOff, now + FREE_FAILURES * STEP_MS + MAX_DELAY_MS))
    return Math.min(Math.max(waitMs, 0), MAX_DELAY_MS)
  }

  /** Counts a failure and waits for the delay of its response, or until the caller disconnects. */
  async delayResponse(address: string, signal: AbortSignal): Promise<void> {
    const waitMs = this.countFailure(address)
    if (waitMs > 0) await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
  }

  get size(): number {
    return this.paidOff.size
  }
}

/** IPv6 addresses are grouped by /64, since one host usually has a whole /64. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('%', 1)[0]!.split('::', 2)
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
