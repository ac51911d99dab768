import { sql, text } from '../../sql/sql.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import { isLagging, MAX_LAG_SECONDS } from '../replication.js'
import { numberIn } from '../response.js'
import { SHARDS } from './shards.js'

// The `absolute_delay` of a table that has not read the log in Keeper yet is the time since 1970. For a table that has applied all
// changes that it read, it is the duration of the current attempt to read more.
const MAX_DELAY = sql`
  SELECT toUInt32(max(absolute_delay)) AS seconds,
    toUInt32(maxIf(absolute_delay, inserts_in_queue > 0 OR absolute_delay * 2 > toUnixTimestamp(now()))) AS unapplied
  FROM system.replicas WHERE database IN (${text(SHARDS)}, 'evq')`

export interface MeasuredServer {
  readonly url: string
  /** For statements on the server's own tables. */
  readonly engine: RemoteEngine
}

/** The lag of a server, in seconds. */
interface Lag {
  readonly lagSeconds: number
  /** The age of the oldest change that the server has read in Keeper, but not applied. */
  readonly unappliedSeconds: number
}

export class ReplicaLag {
  private readonly lags = new Map<MeasuredServer, Lag>()
  private readonly asking = new Set<MeasuredServer>()
  /** The servers that lagged at their last measurement, and not at the one before. */
  private readonly suspected = new Set<MeasuredServer>()
  private readonly warn: (message: string) => void

  constructor(warn: (message: string) => void) {
    this.warn = warn
  }

  of(replica: MeasuredServer): number | undefined {
    return this.lags.get(replica)?.lagSeconds
  }

  /**
   * Asks a server how far it lags, and reports when it starts or stops to lag too much. A server lags when two measurements in a
   * row show it, since a table that was just created seems to lag for a moment. Resolves with true when the server has responded.
   * Never rejects.
   */
  async measure(replica: MeasuredServer): Promise<boolean> {
    // A server that hangs gets no further request.
    if (this.asking.has(replica)) return false
    this.asking.add(replica)
    try {
      const measured = await replica.engine.ask(MAX_DELAY)
      const lagSeconds = numberIn(measured, 'seconds')
      const lag = { lagSeconds, unappliedSeconds: numberIn(measured, 'unapplied') }
      const wasLagging = isLagging({ lagSeconds: this.of(replica) })
      if (!isLagging(lag)) this.suspected.delete(replica)
      else if (!wasLagging && !this.suspected.has(replica)) {
        this.suspected.add(replica)
        return true
      }
      this.lags.set(replica, lag)
      if (isLagging(lag) !== wasLagging) this.report(replica, lag)
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
    this.lags.delete(replica)
    this.suspected.delete(replica)
  }

  private report({ url }: MeasuredServer, lag: Lag): void {
    this.warn(`The ClickHouse server \`${url}\` ${stateText(lag)}`)
  }
}

function stateText(lag: Lag): string {
  if (!isLagging(lag)) return 'no longer lags behind other replicas.'
  return isLagging({ lagSeconds: lag.unappliedSeconds })
    ? `lags more than ${MAX_LAG_SECONDS} s behind other replicas: queries do not read it.`
    : `has had no response from Keeper for more than ${MAX_LAG_SECONDS} s: queries prefer other replicas of its shard.`
}
