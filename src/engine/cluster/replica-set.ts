import { setTimeout as sleep } from 'node:timers/promises'
import { Countdown } from '../../text/countdown.js'
import { sharedWhileRunning } from '../../text/shared-work.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import type { RemoteServer } from '../clickhouse/remote-server.js'
import {
  EngineError,
  hasCode,
  isDisconnection,
  isUnreachable,
  MissingServerError,
  MissingShardError,
} from '../engine.js'
import { isLagging, type ServerState } from '../replication.js'
import { isKeeperAway } from './keeper-errors.js'
import { type MeasuredServer, ReplicaLag } from './replica-lag.js'
import { type Macros, SYSTEM } from './topology.js'

/** A server of a cluster. */
export interface Replica extends MeasuredServer {
  /** From 0. */
  readonly shard: number
  /** The position in the shard, from 0. */
  readonly position: number
  readonly server: RemoteServer
  /** For queries over all shards. */
  readonly entry: RemoteEngine
}

export interface Cluster {
  /** The name of the cluster in the configuration of the servers. */
  readonly name: string
  readonly replicas: ReplicaSet
  /** The number of copies of an event that a response requires; by default two where possible. */
  readonly copies: number | undefined
  /** True when results may lack the events of servers that are away. */
  readonly allowPartial: boolean
  /** Returns the macros of a server that was checked. */
  macrosOf(replica: Replica): Macros | undefined
  /** Receives messages for the operator of the service. */
  warn(message: string): void
}

interface ReplicaSetOptions {
  readonly replicas: readonly Replica[]
  readonly shards: number
  /** Makes a server that was away ready for use: it may have missed changes, or be empty. */
  prepare(replica: Replica, others: readonly Replica[]): Promise<void>
  /** Resolves with true when there is nothing to prepare on any of the servers in use. */
  arePrepared(used: readonly Replica[]): Promise<boolean>
  /** Receives messages for the operator of the service. */
  warn(message: string): void
}

type Health = 'healthy' | 'slow' | 'unreachable'

const HEARTBEAT_MS = 2_000
/** A busy server responds late. */
const PING_TIMEOUT_MS = 5_000
/** A server that does not report its lag in this time may hang, or have many tables. */
const LAG_MS = 1_000
/** The time in which a server that crashed is expected to respond again. */
const RESTART_MS = 3_000
/** The time in which a server is expected to connect to Keeper again. */
const KEEPER_MS = 15_000
/** The heartbeats between two checks of the configuration and the tables of the servers in use. */
const BEATS_PER_CHECK = 5

/** The servers of a cluster, of which some may be away. */
export class ReplicaSet {
  readonly all: readonly Replica[]
  readonly shards: number
  private readonly options: ReplicaSetOptions
  /** The servers that are not used, and the reasons that were reported. */
  private readonly away = new Map<Replica, string>()
  /** The servers that did not respond to the last request. */
  private readonly down = new Set<Replica>()
  /** The times at which servers that were away were used again, in milliseconds of `performance.now`. */
  private readonly joinedAt = new Map<Replica, number>()
  private readonly lag: ReplicaLag
  private readonly timer: NodeJS.Timeout
  private readonly joining = new Map<Replica, Promise<void>>()
  /** The times that the servers of shards have to restart; all callers share one. */
  private readonly restarts = new Map<number, Countdown>()
  private beats = 0
  /**
   * The position in its shard of the replica that is read first. A replica that was away is not preferred until another one
   * fails: it may lack recent events.
   */
  position = 0
  private isClosed = false

  constructor(options: ReplicaSetOptions) {
    this.options = options
    this.all = options.replicas
    this.shards = options.shards
    this.lag = new ReplicaLag((message) => options.warn(message))
    this.timer = setInterval(() => void this.heartbeat(), HEARTBEAT_MS).unref()
  }

  /** Stops the heartbeat. Lost connections are not reported from then on: the service closes them itself. */
  close(): void {
    this.isClosed = true
    clearInterval(this.timer)
  }

  /** The servers in use. */
  get live(): readonly Replica[] {
    return this.all.filter((replica) => !this.away.has(replica))
  }

  get states(): readonly ServerState[] {
    return this.all.map((replica) => ({
      url: replica.url,
      shard: replica.shard + 1,
      isUp: !this.down.has(replica),
      isUsed: !this.away.has(replica),
      lagSeconds: this.lag.of(replica),
    }))
  }

  get positions(): readonly number[] {
    return [...new Set(this.all.map(({ position }) => position))]
  }

  /** Returns the replicas of a shard that are in use, the preferred one first. */
  ofShard(shard: number): readonly Replica[] {
    const own = this.live.filter((replica) => replica.shard === shard)
    return own.sort((a, b) => this.rank(a) - this.rank(b))
  }

  /** The replicas in use of each shard, the preferred one first. */
  get byShard(): readonly (readonly Replica[])[] {
    return Array.from({ length: this.shards }, (_, shard) => this.ofShard(shard))
  }

  isLagging(replica: Replica): boolean {
    return isLagging({ lagSeconds: this.lag.of(replica) })
  }

  /** True when all replicas of a shard that are in use lag, as they do while Keeper hangs. */
  get hasLaggingShard(): boolean {
    const shards = new Set(this.live.map(({ shard }) => shard))
    return [...shards].some((shard) =>
      this.ofShard(shard).every((replica) => this.isLagging(replica)),
    )
  }

  /**
   * Returns the servers to which queries over all shards can be sent, the preferred one first. Servers that are used again are the
   * last ones for a while: they lack a dataset that another service creates before it uses them again, too.
   */
  entries(): readonly Replica[] {
    const age = (replica: Replica): number => Number(this.hasJustJoined(replica))
    return [...this.live].sort((a, b) => age(a) - age(b) || this.rank(a) - this.rank(b))
  }

  private hasJustJoined(replica: Replica): boolean {
    const joinedAt = this.joinedAt.get(replica)
    return joinedAt !== undefined && performance.now() - joinedAt < BEATS_PER_CHECK * HEARTBEAT_MS
  }

  /** Runs work on the first server, or on the next one when it is away or has to connect to Keeper. */
  async onOne<T>(
    candidates: readonly Replica[],
    work: (replica: Replica) => Promise<T>,
  ): Promise<T> {
    const outcome = await whileKeeperAway(async () => {
      let last: Outcome<T> = { error: noneError() }
      for (const replica of candidates) {
        const own = await this.attempt(replica, work)
        if ('value' in own) return own
        if (!('error' in last && isKeeperAway(last.error))) last = own
      }
      return last
    })
    if ('value' in outcome) return outcome.value
    throw outcome.error
  }

  /**
   * Runs work on each server in use, also on one that is used again meanwhile: it may have been prepared before the others were
   * changed. A server that is away is prepared when it is back.
   */
  async onEach(work: (replica: Replica) => Promise<void>): Promise<void> {
    const reached = new Set<Replica>()
    for (;;) {
      const left = this.live.filter((replica) => !reached.has(replica))
      if (left.length === 0) return
      for (const replica of left) reached.add(replica)
      await Promise.all(left.map((replica) => whileKeeperAway(() => this.attempt(replica, work))))
    }
  }

  /**
   * Runs work on a server, and once more when the server restarted meanwhile or lacks a table that was created while it was away.
   * A server that does not respond is not used from then on.
   */
  private async attempt<T>(
    replica: Replica,
    work: (replica: Replica) => Promise<T>,
  ): Promise<Outcome<T>> {
    for (let tries = 1; ; tries++) {
      try {
        return { value: await work(replica) }
      } catch (error) {
        if (isKeeperAway(error)) return { error }
        if (isTableMissing(error) && tries === 1) {
          await this.join(replica)
          if (this.away.has(replica)) return { error }
          continue
        }
        if (!isUnreachable(error)) throw error
        if (!(await this.responds(replica))) {
          this.leave(replica, error)
          return { error }
        }
        if (tries > 1 || !isDisconnection(error)) throw error
      }
    }
  }

  /** Throws a `MissingServerError` when a server is away. */
  requireAll(): void {
    const [first] = this.away.keys()
    if (first !== undefined) throw new MissingServerError(first.url)
  }

  async responds(replica: Replica): Promise<boolean> {
    return (await this.ping(replica)) === 'healthy'
  }

  /** Measures the lag of a server, which shows that it responds; pings a server that does not report its lag in time. */
  private async healthOf(replica: Replica): Promise<Health> {
    const late = sleep(LAG_MS, false, { ref: false })
    if (!(await Promise.race([this.lag.measure(replica), late]))) return await this.ping(replica)
    this.down.delete(replica)
    return 'healthy'
  }

  private async ping(replica: Replica): Promise<Health> {
    const options = { statement: 'SELECT 1', timeoutMs: PING_TIMEOUT_MS, settings: SYSTEM }
    try {
      await replica.server.send(options)
      this.down.delete(replica)
      return 'healthy'
    } catch (error) {
      this.down.add(replica)
      this.lag.forget(replica)
      const isSlow = hasCode(error, 'SOCKET_TIMEOUT')
      return isSlow ? 'slow' : 'unreachable'
    }
  }

  /** Stops using a server until it responds again. */
  leave(replica: Replica, error: unknown): void {
    if (this.isClosed) return
    const why = error instanceof Error ? error.message : String(error)
    if (isUnreachable(error)) this.down.add(replica)
    // While a server does not respond, the reasons vary.
    const state = isUnreachable(error) ? 'no response' : why
    if (this.away.get(replica) !== state) {
      this.away.set(replica, state)
      this.options.warn(`The ClickHouse server \`${replica.url}\` is not used: ${why}`)
    }
    this.preferPresent()
  }

  /** Checks all servers: servers that were away may be back, and others may be lost. */
  readonly heartbeat = sharedWhileRunning(async (): Promise<void> => {
    const isCheck = ++this.beats % BEATS_PER_CHECK === 0
    const health = await Promise.all(this.all.map((replica) => this.healthOf(replica)))
    const hasHealthy = (shard: number): boolean =>
      this.all.some((replica, i) => replica.shard === shard && health[i] === 'healthy')
    const used: Replica[] = []
    for (const [i, replica] of this.all.entries()) {
      const isAway = this.away.has(replica)
      // When all replicas of a shard are slow, they, or this service, are busy.
      const isLost =
        health[i] === 'unreachable' || (health[i] === 'slow' && hasHealthy(replica.shard))
      if (!isAway && isLost) this.leave(replica, noneError('no response'))
      if (health[i] !== 'healthy') continue
      if (isAway) void this.join(replica)
      else used.push(replica)
    }
    if (isCheck) void this.check(used)
  })

  /** Prepares the servers in use again when something is to be done on one of them. Never rejects. */
  private async check(used: readonly Replica[]): Promise<void> {
    const arePrepared = await this.options.arePrepared(used).catch(() => false)
    if (arePrepared || this.isClosed) return
    await Promise.all(used.map((replica) => this.join(replica)))
  }

  /** Looks for servers that are back when no server is in use. */
  async recover(): Promise<void> {
    if (this.live.length > 0) return
    await this.heartbeat()
    await Promise.all(this.joining.values())
  }

  /** True when a replica of a shard is in use; waits for one that restarts. */
  async hasShard(shard: number): Promise<boolean> {
    while (this.ofShard(shard).length === 0) {
      const restart = this.restarts.get(shard) ?? new Countdown(RESTART_MS)
      this.restarts.set(shard, restart)
      const { isOver } = restart
      await this.heartbeat()
      await Promise.all(this.joining.values())
      if (isOver) return this.ofShard(shard).length > 0
      await sleep(RESTART_MS / 10)
    }
    return true
  }

  /** Waits for the replicas of shards that restart. Rejects with a `MissingShardError` when a shard has no replica in use then. */
  async awaitShards(): Promise<void> {
    for (const shard of this.byShard.keys()) {
      if (!(await this.hasShard(shard))) throw new MissingShardError(shard)
    }
  }

  /** Throws a `MissingShardError` when a shard has no replica in use. */
  requireShards(): void {
    const missing = this.byShard.findIndex((own) => own.length === 0)
    if (missing !== -1) throw new MissingShardError(missing)
  }

  /** Prepares a server and uses it from then on. Never rejects. */
  join(replica: Replica): Promise<void> {
    const before = this.joining.get(replica)
    if (before !== undefined) return before
    const joined = this.prepare(replica)
      .catch(async (error: unknown) => {
        const isUsed = !this.away.has(replica)
        // The error may come from another server.
        if (isUsed && isUnreachable(error) && (await this.responds(replica))) return
        this.leave(replica, error)
      })
      .finally(() => this.joining.delete(replica))
    this.joining.set(replica, joined)
    return joined
  }

  private async prepare(replica: Replica): Promise<void> {
    const others = this.live.filter((other) => other !== replica)
    await this.options.prepare(replica, others)
    if (!this.away.delete(replica)) return
    this.joinedAt.set(replica, performance.now())
    this.restarts.delete(replica.shard)
    this.options.warn(`The ClickHouse server \`${replica.url}\` is used again.`)
    // Tables may have been created on other servers meanwhile.
    await this.options.prepare(replica, others)
  }

  /** Prefers the position with the fewest servers that are away; the current one when there are several. */
  private preferPresent(): void {
    const missing = (position: number): number =>
      [...this.away.keys()].filter((replica) => replica.position === position).length
    for (const position of this.positions) {
      if (missing(position) < missing(this.position)) this.position = position
    }
  }

  private rank({ position, shard }: Replica): number {
    return (position === this.position ? 0 : 1 + position) * this.shards + shard
  }
}

/** The result of work, or the error of a server that cannot do it now. */
type Outcome<T> = { readonly value: T } | { readonly error: unknown }

/** Repeats an attempt while a server has to connect to Keeper. */
async function whileKeeperAway<T>(attempt: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  let reconnection: Countdown | undefined
  for (;;) {
    const outcome = await attempt()
    if (!('error' in outcome && isKeeperAway(outcome.error))) return outcome
    reconnection ??= new Countdown(KEEPER_MS)
    if (reconnection.isOver) throw noneError(outcome.error.message)
    await sleep(KEEPER_MS / 60)
  }
}

/** True when a server lacks a table or a database, or when other replicas have a new table with more columns. */
export function isTableMissing(error: unknown): boolean {
  return hasCode(error, 'UNKNOWN_TABLE', 'UNKNOWN_DATABASE', 'INCOMPATIBLE_COLUMNS')
}

function noneError(message = 'no server of the cluster responds'): EngineError {
  return new EngineError('NETWORK_ERROR', message)
}
