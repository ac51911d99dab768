import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { list, type Sql, sql, text } from '../../sql/sql.js'
import { LOAD_SECONDS } from '../clickhouse/remote.js'
import { stringsIn } from '../clickhouse/response.js'
import { type Engine, EngineError, SOCKET_TIMEOUT } from '../engine.js'
import { steadyClock } from './steady-clock.js'

// Several services may stand before one ClickHouse, which has no locks. Whoever wants something alone
// writes that down and then looks who else did: of two who want it at the same time at least one sees
// the other. Who sees another takes it back and comes again later; only who sees nobody has it.

/** What is neither given back nor renewed for so long belonged to a process that is gone: others may take it. */
const LEASE_SECONDS = 150
/** By so much earlier its own process takes a lease for lost. */
const MARGIN_MS = 5_000
const USABLE_MS = LEASE_SECONDS * 1000 - MARGIN_MS
/** An insert that begins while a lease is as young as this has ended before others may take the lease. */
const FRESH_MS = USABLE_MS - LOAD_SECONDS * 1000
/** More than once while a lease is fresh, so that a write rarely waits for a renewal. */
const RENEW_MS = 10_000
/** As long as somebody else's insert may take, and its lease may live on. */
const WAIT_TIMEOUT_MS = 300_000
const RETRY_MS = 40
/** A server that was away is tried again after so long. */
const RELEASE_RETRY_MS = 1_000

/** Makes the place for leases. */
export async function createLeases(engine: Engine): Promise<void> {
  await engine.run(sql`
    CREATE TABLE IF NOT EXISTS evq.lease (
      name String, holder String, state Int8, at DateTime64(3) DEFAULT now64(3)
    ) ENGINE = MergeTree ORDER BY (name, holder) TTL toDateTime(at) + INTERVAL 1 HOUR`)
}

/** Something that this process alone may do, as long as the lease is renewed. */
export interface Lease {
  /**
   * Resolves when the lease outlasts an insert that begins now. Rejects with `LeaseLostError` when it was not renewed in
   * time, so that another process may have it.
   */
  confirm(): Promise<void>
  /** Gives it back. */
  release(): void
}

/** A lease was not renewed in time, since the process was suspended or the engine could not be reached. */
export class LeaseLostError extends EngineError {
  constructor(name: string) {
    super({ code: SOCKET_TIMEOUT, message: `the lease on \`${name}\` was not renewed in time` })
    this.name = 'LeaseLostError'
  }
}

interface LeasesOptions {
  /** Begins the names of all holders; the same after a crash. */
  readonly name?: string
  /** Milliseconds, counted also while the machine is suspended. */
  clock?(): number
  /** Receives messages for the operator of the service. */
  warn?(message: string): void
}

interface LeaseRequest extends HeldLease {
  resolve(lease: HeldLease | undefined): void
  reject(error: unknown): void
  /** Comes once, and does not wait for somebody else. */
  readonly isSingleTry: boolean
}

interface HeldLease {
  readonly name: string
  readonly holder: string
  /** When it was asked for, by the clock. */
  readonly requestedAt: number
  /** When the statement was sent that took or last renewed it, by the clock. */
  renewedAt: number
}

/** What this process alone may do at the moment, among all that use the same data. */
export class Leases {
  private readonly engine: Engine
  private readonly name: string
  private readonly clock: () => number
  private readonly warn: (message: string) => void
  private readonly held = new Set<HeldLease>()
  private readonly timer: NodeJS.Timeout
  private renewing: Promise<void> | undefined
  private requests: LeaseRequest[] = []
  private released: HeldLease[] = []
  private work: Promise<void> | undefined
  private isClosed = false

  constructor(engine: Engine, options: LeasesOptions = {}) {
    this.engine = engine
    this.name = options.name ?? randomUUID()
    this.clock = options.clock ?? steadyClock()
    this.warn = (message) => options.warn?.(message)
    this.timer = setInterval(() => void this.renew().catch(() => {}), RENEW_MS).unref()
  }

  /** Gives back what one of the same name, which is gone, did not. */
  async releaseInherited(): Promise<void> {
    await this.engine.run(sql`
      INSERT INTO evq.lease (name, holder, state)
      SELECT DISTINCT name, holder, -1 FROM evq.lease WHERE startsWith(holder, ${text(`${this.name}/`)})`)
  }

  /** Waits until nobody else has what is called so. */
  async acquire(name: string): Promise<Lease> {
    const lease = await this.ask(name, { isSingleTry: false })
    if (lease === undefined) throw new Error('a lease that is waited for')
    return lease
  }

  /** Takes what is called so unless somebody else has it. */
  tryAcquire(name: string): Promise<Lease | undefined> {
    return this.ask(name, { isSingleTry: true })
  }

  /** Gives back what is still held. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    this.isClosed = true
    for (const lease of this.held) this.release(lease)
    while (this.work !== undefined) await this.work
  }

  private holder(): string {
    return `${this.name}/${randomUUID()}`
  }

  private async ask(
    name: string,
    { isSingleTry }: { readonly isSingleTry: boolean },
  ): Promise<Lease | undefined> {
    const requestedAt = this.clock()
    const lease = await new Promise<HeldLease | undefined>((resolve, reject) => {
      const holder = this.holder()
      this.requests.push({
        name,
        holder,
        requestedAt,
        renewedAt: requestedAt,
        isSingleTry,
        resolve,
        reject,
      })
      this.start()
    })
    if (lease === undefined) return undefined
    this.held.add(lease)
    return { confirm: () => this.confirm(lease), release: () => this.release(lease) }
  }

  private release(lease: HeldLease): void {
    if (!this.held.delete(lease)) return
    this.released.push(lease)
    this.start()
  }

  /** Whoever comes while the engine is asked is asked for together with others. */
  private start(): void {
    this.work ??= this.settle().finally(() => {
      this.work = undefined
      if (this.requests.length + this.released.length > 0) this.start()
    })
  }

  private async settle(): Promise<void> {
    const byName = new Map(this.requests.map((request) => [request.name, request]))
    const requests = [...byName.values()]
    const rivals = this.requests.filter((request) => byName.get(request.name) !== request)
    const released = this.released
    this.requests = []
    this.released = []
    for (const request of rivals) this.retry(request)
    const sent = this.clock()
    for (const request of requests) request.renewedAt = sent
    try {
      await this.write([...requests.map(acquireRow), ...released.map(releaseRow)])
      if (requests.length === 0) return
      const others = await this.others(requests)
      const late = requests.filter(({ name }) => others.has(name))
      await this.write(late.map(releaseRow))
      for (const request of requests) if (!others.has(request.name)) request.resolve(request)
      for (const request of late) this.retry(request)
    } catch (error) {
      // Some servers may have it: what nobody has must not keep others waiting for its life long.
      this.releaseLater([...requests, ...released])
      for (const { reject } of requests) reject(error)
    }
  }

  /** Tries once more to give back what could not be written. */
  private releaseLater(leases: readonly HeldLease[]): void {
    const young = leases.filter(
      ({ requestedAt }) => this.clock() - requestedAt < LEASE_SECONDS * 1000,
    )
    if (young.length === 0 || this.isClosed) return
    void sleep(RELEASE_RETRY_MS, undefined, { ref: false }).then(() => {
      this.released.push(...young)
      this.start()
    })
  }

  /** The names that somebody else has or wants too. */
  private async others(requests: readonly LeaseRequest[]): Promise<ReadonlySet<string>> {
    const names = list(requests.map(({ name }) => text(name)))
    const result = await this.engine.ask(sql`
      SELECT name, holder FROM evq.lease WHERE name IN (${names}) GROUP BY name, holder
      HAVING min(state) >= 0 AND max(at) > now64(3) - INTERVAL ${LEASE_SECONDS} SECOND`)
    const own = new Set(requests.map(({ holder }) => holder))
    const holders = stringsIn(result, 'holder')
    return new Set(stringsIn(result, 'name').filter((_, i) => !own.has(holders[i] ?? '')))
  }

  private retry(request: LeaseRequest): void {
    if (request.isSingleTry) {
      request.resolve(undefined)
      return
    }
    if (this.clock() - request.requestedAt > WAIT_TIMEOUT_MS) {
      request.reject(new EngineError({ code: 0, message: `${request.name} is not given back` }))
      return
    }
    // Two who always came at the same time would never find themselves alone.
    void sleep(randomInt(RETRY_MS, 4 * RETRY_MS)).then(() => {
      // One who gave it back has given it back for good.
      this.requests.push({ ...request, holder: this.holder() })
      this.start()
    })
  }

  private async confirm(lease: HeldLease): Promise<void> {
    if (this.ageOf(lease) >= FRESH_MS) await this.renew()
    if (this.ageOf(lease) >= FRESH_MS) throw new LeaseLostError(lease.name)
  }

  private renew(): Promise<void> {
    this.renewing ??= this.renewAll().finally(() => {
      this.renewing = undefined
    })
    return this.renewing
  }

  /** Renews what is held, but nothing that has expired: another process may have it by now. */
  private async renewAll(): Promise<void> {
    this.dropExpired()
    const held = [...this.held]
    const sent = this.clock()
    await this.write(held.map(acquireRow))
    // A renewal that came too late for some of them renewed nothing.
    this.dropExpired()
    for (const lease of held) if (this.held.has(lease)) lease.renewedAt = sent
  }

  private dropExpired(): void {
    const expired = [...this.held].filter((lease) => this.ageOf(lease) >= USABLE_MS)
    for (const lease of expired) this.held.delete(lease)
    const [first] = expired
    if (first === undefined) return
    const others = expired.length === 1 ? '' : ` and ${expired.length - 1} more`
    this.warn(
      `The lease on \`${first.name}\`${others} could not be renewed for ${USABLE_MS / 1000} s: the service was suspended or cut off from ClickHouse. Writes under it are refused.`,
    )
  }

  private ageOf({ renewedAt }: HeldLease): number {
    return this.clock() - renewedAt
  }

  private async write(rows: readonly Sql[]): Promise<void> {
    if (rows.length === 0) return
    await this.engine.run(sql`
      INSERT INTO evq.lease (name, holder, state)
      SELECT row.1, row.2, row.3 FROM (SELECT arrayJoin([${list(rows)}]) AS row)`)
  }
}

function acquireRow({ name, holder }: HeldLease): Sql {
  return sql`(${text(name)}, ${text(holder)}, 1)`
}

function releaseRow({ name, holder }: HeldLease): Sql {
  return sql`(${text(name)}, ${text(holder)}, -1)`
}
