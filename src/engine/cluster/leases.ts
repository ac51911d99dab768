import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedWhileRunning, startedAfterCall } from '../../text/shared-work.js'
import { LOAD_SECONDS } from '../clickhouse/remote.js'
import { type Engine, EngineError, LeaseLostError } from '../engine.js'
import { insertedLeases } from './inserted-leases.js'
import { keeperLeases } from './keeper-leases.js'
import { LEASE_SECONDS, type LeaseRow, type LeaseTable } from './lease-table.js'
import { steadyClock } from './steady-clock.js'

/** A holder considers its lease lost this long before it expires. */
const MARGIN_MS = 5_000
const USABLE_MS = LEASE_SECONDS * 1000 - MARGIN_MS
/** An insert that starts within this age of a lease ends before others may acquire it. */
const FRESH_MS = USABLE_MS - LOAD_SECONDS * 1000
/** More often than `FRESH_MS`, so that a write rarely waits for a renewal. */
const RENEW_MS = 10_000
/** Long enough for an insert of another service and the expiry of its lease after that. */
const WAIT_TIMEOUT_MS = 300_000
const RETRY_MS = 40
const LONGEST_RETRY_MS = 500
/** The delay of the next attempt, as a share of the time waited so far. */
const RETRY_SHARE = 0.05
/** The delay for retrying a release that failed. */
const RELEASE_RETRY_MS = 1_000

/** An exclusive lock that this process holds as long as it is renewed. */
export interface Lease {
  /**
   * Resolves when the lease outlasts an insert that starts now. Rejects with a `LeaseLostError` when it was not renewed in
   * time, so that another process may hold it.
   */
  confirm(): Promise<void>
  /** Releases the lease in the background. */
  release(): void
}

export interface LeasesOptions {
  /** Identifies this service among all services on the same data, also after a restart. */
  readonly name?: string
  /** Returns milliseconds, including the time in which the machine was suspended; by default from the system's clocks. */
  clock?(): number
  /** Receives messages for the operator of the service. */
  warn?(message: string): void
}

interface LeaseRequest extends HeldLease {
  resolve(lease: HeldLease | undefined): void
  reject(error: unknown): void
}

interface HeldLease extends LeaseRow {
  /** The time at which the last statement that acquired or renewed the lease was sent. */
  renewedAt: number
}

/** Returns the leases of an engine: in Keeper where it can be used. */
function leaseTable(engine: Engine): LeaseTable {
  return engine.hasKeeperMap ? keeperLeases(engine) : insertedLeases(engine)
}

/** Creates the table of leases unless it exists. */
export async function createLeases(engine: Engine): Promise<void> {
  await leaseTable(engine).create()
}

/** The leases that this process holds among all processes on the same data. */
export class Leases {
  private readonly table: LeaseTable
  private readonly name: string
  private readonly clock: () => number
  private readonly warn: (message: string) => void
  private readonly held = new Set<HeldLease>()
  private readonly timer: NodeJS.Timeout
  private requests: LeaseRequest[] = []
  /** The duration of the last exchange with the table. */
  private exchangeMs = 0
  private released: HeldLease[] = []
  private isClosed = false

  constructor(engine: Engine, options: LeasesOptions = {}) {
    this.table = leaseTable(engine)
    this.name = options.name ?? randomUUID()
    this.clock = options.clock ?? steadyClock()
    this.warn = (message) => options.warn?.(message)
    this.timer = setInterval(() => void this.renew().catch(() => {}), RENEW_MS).unref()
  }

  /** Releases the leases of an earlier process with the same name. */
  async releaseInherited(): Promise<void> {
    await this.table.releaseAll(`${this.name}/`)
  }

  /** Acquires a lease, waiting for its current holder. Rejects with an `EngineError` after five minutes. */
  async acquire(name: string): Promise<Lease> {
    const requestedAt = this.clock()
    for (;;) {
      const lease = await this.tryAcquire(name)
      if (lease !== undefined) return lease
      const waited = this.clock() - requestedAt
      if (waited > WAIT_TIMEOUT_MS) throw new EngineError(0, `${name} was not released in time`)
      // Random, and longer than an attempt takes, so that two processes do not retry at the same time forever.
      const longer = Math.max(RETRY_MS, this.exchangeMs, waited * RETRY_SHARE)
      const pause = Math.ceil(Math.min(longer, LONGEST_RETRY_MS))
      await sleep(randomInt(pause, 4 * pause))
    }
  }

  /** Acquires a lease; resolves with undefined when another process holds it. */
  async tryAcquire(name: string): Promise<Lease | undefined> {
    // A release is permanent: each attempt needs another holder name.
    const request = { name, holder: `${this.name}/${randomUUID()}`, renewedAt: this.clock() }
    const lease = await new Promise<HeldLease | undefined>((resolve, reject) => {
      this.requests.push({ ...request, resolve, reject })
      void this.start()
    })
    if (lease === undefined) return undefined
    this.held.add(lease)
    return { confirm: () => this.confirm(lease), release: () => this.release(lease) }
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    this.isClosed = true
    for (const lease of this.held) this.release(lease)
    await this.start()
  }

  private release(lease: HeldLease): void {
    if (!this.held.delete(lease)) return
    this.released.push(lease)
    void this.start()
  }

  /** Settles the requests and releases. Those made while a statement is running are handled together after it. */
  private readonly start = startedAfterCall(() => this.settle())

  private async settle(): Promise<void> {
    const byName = new Map(this.requests.map((request) => [request.name, request]))
    const requests = [...byName.values()]
    const rivals = this.requests.filter((request) => byName.get(request.name) !== request)
    const released = this.released
    this.requests = []
    this.released = []
    for (const { resolve } of rivals) resolve(undefined)
    const sent = this.clock()
    for (const request of requests) request.renewedAt = sent
    try {
      const acquired = await this.table.exchange(requests, released)
      this.exchangeMs = this.clock() - sent
      for (const request of requests) {
        request.resolve(acquired.has(request.holder) ? request : undefined)
      }
    } catch (error) {
      // Some servers may have stored the request: a lease without a holder must not block others until it expires.
      this.releaseLater([...requests, ...released])
      for (const { reject } of requests) reject(error)
    }
  }

  /** Retries releases that could not be written, until the leases have expired. */
  private releaseLater(leases: readonly HeldLease[]): void {
    const current = leases.filter((lease) => this.ageOf(lease) < LEASE_SECONDS * 1000)
    if (current.length === 0 || this.isClosed) return
    void sleep(RELEASE_RETRY_MS, undefined, { ref: false }).then(() => {
      this.released.push(...current)
      void this.start()
    })
  }

  private async confirm(lease: HeldLease): Promise<void> {
    if (this.ageOf(lease) >= FRESH_MS) await this.renew()
    if (this.ageOf(lease) >= FRESH_MS) throw new LeaseLostError(lease.name)
  }

  /** Renews all leases except expired ones, which another process may hold by now. */
  private readonly renew = sharedWhileRunning(async (): Promise<void> => {
    this.dropExpired()
    const held = [...this.held]
    const sent = this.clock()
    const renewed = await this.table.renew(held)
    // For leases that expired meanwhile, the renewal came too late.
    this.dropExpired()
    for (const lease of held) {
      if (this.held.has(lease) && renewed.has(lease.holder)) lease.renewedAt = sent
    }
  })

  private dropExpired(): void {
    const expired = [...this.held].filter((lease) => this.ageOf(lease) >= USABLE_MS)
    for (const lease of expired) this.held.delete(lease)
    const [first] = expired
    if (first === undefined) return
    const others = expired.length === 1 ? '' : ` and ${expired.length - 1} more`
    this.warn(
      `The lease on \`${first.name}\`${others} could not be renewed for ${USABLE_MS / 1000} s: the service was suspended or disconnected from ClickHouse. Its writes under this lease are rejected.`,
    )
  }

  private ageOf({ renewedAt }: HeldLease): number {
    return this.clock() - renewedAt
  }
}
