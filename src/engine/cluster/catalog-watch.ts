import { sql, text } from '../../sql/sql.js'
import { startedAfterCall } from '../../text/shared-work.js'
import { loadDatasets } from '../catalog/catalog.js'
import { DATASETS } from '../catalog/database.js'
import type { Dataset } from '../catalog/dataset.js'
import type { Engine } from '../engine.js'
import { stringsIn } from '../response.js'
import type { Lease, Leases } from './leases.js'

/** The maximum age of the schema with which a service stores events. */
const RECENT_MS = 2_000

interface CatalogWatchOptions {
  readonly engine: Engine
  readonly leases: Leases
  /** The known datasets; only the watch adds the changes of other services. */
  readonly known: Map<string, Dataset>
}

/** Keeps the known datasets up to date with the changes of other services on the same data. */
export class CatalogWatch {
  private readonly options: CatalogWatchOptions
  /** The datasets that this process is changing. */
  private readonly changing = new Set<string>()
  /** The number of changes of each dataset by this process. */
  private readonly changes = new Map<string, number>()
  private loadedFingerprint: string | undefined
  private lastFingerprint: string | undefined
  private readAt = Number.NEGATIVE_INFINITY

  constructor(options: CatalogWatchOptions) {
    this.options = options
  }

  /** Resolves when the known datasets include all changes made before the call. */
  readonly refresh = startedAfterCall(() => this.read())

  /** Resolves when the known datasets are not older than `RECENT_MS`, and the given one is known if it exists. */
  async ensureRecent(dataset: string): Promise<void> {
    const isRecent = performance.now() - this.readAt <= RECENT_MS / 2
    if (!isRecent || !this.options.known.has(dataset)) await this.refresh()
  }

  /** Loads the changes of other services, and runs work that changes a dataset while no other service changes it. */
  async exclusively<Result>(
    dataset: string,
    work: (lease: Lease) => Promise<Result>,
  ): Promise<Result> {
    const lease = await this.options.leases.acquire(`dataset ${dataset}`)
    try {
      await this.load()
      this.changing.add(dataset)
      this.changes.set(dataset, (this.changes.get(dataset) ?? 0) + 1)
      return await work(lease)
    } finally {
      this.changing.delete(dataset)
      this.loadedFingerprint = undefined
      lease.release()
    }
  }

  private async read(): Promise<void> {
    const began = performance.now()
    const found = await this.fingerprint()
    if (found !== this.loadedFingerprint) {
      const isComplete = await this.load()
      // The statements of a load may reach a server that gets a change later than the one with the fingerprint: each change is
      // loaded by two reads.
      this.loadedFingerprint = isComplete && found === this.lastFingerprint ? found : undefined
    }
    this.lastFingerprint = found
    this.readAt = began
  }

  private async fingerprint(): Promise<string> {
    await this.options.engine.synchronize?.(['path'])
    const result = await this.options.engine.ask(sql`
      SELECT concat(toString(sum(cityHash64(table, name, type, comment))), ' ',
        toString((SELECT sum(cityHash64(dataset, path, kinds)) FROM evq.path))) AS state
      FROM system.columns WHERE database = ${text(DATASETS)}`)
    return stringsIn(result, 'state')[0] ?? ''
  }

  /** Returns false when this process changed some of the datasets meanwhile; these are not replaced. */
  private async load(): Promise<boolean> {
    const { engine, known } = this.options
    const before = new Map(this.changes)
    const busy = new Set(this.changing)
    const loaded = await loadDatasets(engine)
    let isComplete = true
    for (const name of new Set([...known.keys(), ...loaded.keys()])) {
      const isOwn = busy.has(name) || this.changes.get(name) !== before.get(name)
      const dataset = loaded.get(name)
      if (isOwn) isComplete = false
      else if (dataset === undefined) known.delete(name)
      else known.set(name, dataset)
    }
    return isComplete
  }
}
