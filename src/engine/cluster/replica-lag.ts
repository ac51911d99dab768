import { sql, text } from '../../sql/sql.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import { numberIn } from '../clickhouse/response.js'
import { isLagging, MAX_LAG_SECONDS } from '../replication.js'
import { SHARDS } from './cluster-engine.js'

const MAX_DELAY = sql`
  SELECT toUInt32(max(absolute_delay)) AS seconds FROM system.replicas
  WHERE database IN (${text(SHARDS)}, 'evq')`

interface MeasuredServer {
  readonly url: string
  /** For statements on the server's own tables. */
  readonly engine: RemoteEngine
}

/** The lag of each replica of a cluster. */
export class ReplicaLag {
  private readonly seconds = new Map<MeasuredServer, number>()
  private readonly asking = new Set<MeasuredServer>()
  /** The servers that lagged for the first time when they were asked last. */
  private readonly suspected = new Set<MeasuredServer>()
  private readonly warn: (message: string) => void

  constructor(warn: (message: string) => void) {
    this.warn = warn
  }

  of(replica: MeasuredServer): number | undefined {
    return this.seconds.get(replica)
  }

  /**
   * Asks a server how far it lags, and reports when it starts or stops to lag too much. For a moment, a table that was just
   * created counts as lagging: only what is so twice in a row is a lag. Resolves with true when the server has responded. Never
   * rejects.
   */
  async measure(replica: MeasuredServer): Promise<boolean> {
    // A server that hangs is asked once.
    if (this.asking.has(replica)) return false
    this.asking.add(replica)
    try {
      const lagSeconds = numberIn(await replica.engine.ask(MAX_DELAY), 'seconds')
      const wasLagging = isLagging({ lagSeconds: this.seconds.get(replica) })
      if (!isLagging({ lagSeconds })) this.suspected.delete(replica)
      else if (!wasLagging && !this.suspected.has(replica)) {
        this.suspected.add(replica)
        return true
      }
      this.seconds.set(replica, lagSeconds)
      if (isLagging({ lagSeconds }) !== wasLagging) this.report(replica, { lagSeconds })
      return true
    } catch {
      this.forget(replica)
      return false
    } finally {
      this.asking.delete(replica)
    }
  }

  /** Discards what is known about a server that is away. */
  forget(replica: MeasuredServer): void {
    this.seconds.delete(replica)
    this.suspected.delete(replica)
  }

  private report({ url }: MeasuredServer, lag: { readonly lagSeconds: number }): void {
    this.warn(
      isLagging(lag)
        ? `The ClickHouse server \`${url}\` lags more than ${MAX_LAG_SECONDS} s behind other replicas: queries do not read it.`
        : `The ClickHouse server \`${url}\` no longer lags behind other replicas.`,
    )
  }
}
