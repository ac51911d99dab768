import type { TimeForm } from '../../wire/event/event-time.js'
import type { StoredLines } from '../batch.js'
import type { Dataset, DatasetHandle } from '../catalog/dataset.js'
import { fencedEngine } from '../cluster/fenced-engine.js'
import type { Sequence } from '../cluster/sequence.js'
import { type Engine, EngineError } from '../engine.js'
import {
  type Job,
  type Load,
  leasesOf,
  loadsOf,
  NOTHING_STORED,
  removeLoads,
} from './insert-job.js'
import {
  type Insertion,
  type InsertionFile,
  insertStatement,
  UNEXPECTED_EVENT_CODE,
} from './insertion.js'
import type { NamedBatches } from './named-batches.js'
import { plainScanOf } from './scanned-lines.js'
import { SlowPathBatch } from './slow-path.js'

interface GroupStoreOptions {
  readonly target: DatasetHandle
  readonly sequence: Sequence
  /** The directory for temporary files. */
  readonly spool: string
  readonly named: NamedBatches
  /** Prepares the dataset, if it exists. */
  open(): Promise<void>
  /** Runs work that changes the dataset while nothing is being stored; it must use the engine passed to it. */
  exclusively(work: (engine: Engine) => Promise<void>): Promise<void>
  /** Called with the number of events after each batch. */
  stored(events: number): void
}

/**
 * Stores groups of batches. Those that fit the schema are read only by the engine. Any other batch takes the slow path with
 * exclusive access to the dataset: its unexpected lines are read, and they change the schema or are rejected.
 */
export class GroupStore {
  private readonly options: GroupStoreOptions
  /** True once the fast schema check proved useless for this dataset; then only the full check is used. */
  private isFastCheckUseless = false
  /** The time formats of the dataset's events, in addition to those that the engine reads by itself. */
  private readonly timeForms = new Set<TimeForm>()

  constructor(options: GroupStoreOptions) {
    this.options = options
  }

  /** Stores jobs together and settles them; never rejects. */
  async store(group: readonly Job[]): Promise<void> {
    try {
      await this.storeNew(group)
    } catch (error) {
      fail(group, error)
    }
  }

  private async storeNew(group: readonly Job[]): Promise<void> {
    // In the queue, since the dataset can't be deleted meanwhile.
    await this.options.open()
    const jobs = await this.options.named.newOnes(group)
    if (jobs.length === 0) return
    const loads = await loadsOf(jobs, this.options)
    try {
      if (await this.storeExpected(loads)) await this.resolveStored(loads)
      else this.queueSlowPath(await this.bisect(loads))
    } catch (error) {
      await removeLoads(loads)
      throw error
    }
  }

  /**
   * Stores files of which at least one has unexpected events, by bisection. Returns the files that must take the slow path.
   * They are queued only afterward: when another file fails, all jobs are rejected, and none may be stored later.
   */
  private async bisect(loads: readonly Load[]): Promise<readonly Load[]> {
    if (loads.length <= 1) return loads
    const middle = Math.ceil(loads.length / 2)
    const [first, second] = [loads.slice(0, middle), loads.slice(middle)]
    if (await this.storeExpected(first)) {
      await this.resolveStored(first)
      // The unexpected events are in the other half.
      return await this.bisect(second)
    }
    const unexpected = await this.bisect(first)
    if (!(await this.storeExpected(second))) return [...unexpected, ...(await this.bisect(second))]
    await this.resolveStored(second)
    return unexpected
  }

  private async resolveStored(loads: readonly Load[]): Promise<void> {
    await removeLoads(loads)
    for (const job of loads.flatMap(({ jobs }) => jobs)) {
      await this.resolve(job, { ingested: job.counts.events, rejected: [], blocksCreated: 1 })
    }
  }

  /** Stores all events and returns true; false, with nothing stored, when some events are unexpected. */
  private async storeExpected(
    loads: readonly Load[],
    engine = this.options.target.engine,
  ): Promise<boolean> {
    const { current } = this.options.target
    const dataset = current()
    const terms = loads[0]?.jobs[0]?.terms
    if (dataset === undefined || terms === undefined) return false
    const { isFastCheckUseless: isFullCheck, timeForms } = this
    const files = loads.map(({ file }) => file)
    const insertion = { dataset, files, terms, timeForms, isFullCheck }
    const fenced = fencedEngine(engine, leasesOf(loads))
    const jobs = loads.flatMap(({ jobs }) => jobs)
    const plain = await plainScanOf(jobs, dataset)
    const columns = plain && columnsOf(loads)
    if (columns && (await isStored(fenced, { ...insertion, ...columns }))) return true
    if (plain && (await isStored(fenced, { ...insertion, plain }))) return true
    return await isStored(fenced, insertion)
  }

  /** Queues files for the slow path, each with exclusive access to the dataset. */
  private queueSlowPath(loads: readonly Load[]): void {
    const tried = this.options.target.current()
    for (const load of loads) {
      this.options
        .exclusively((engine) => this.storeExclusively(load, { engine, tried }))
        .catch(async (error: unknown) => {
          await removeLoads([load])
          fail(load.jobs, error)
        })
    }
  }

  /** The schema may have changed since the file did not fit the one that was `tried`. */
  private async storeExclusively(
    load: Load,
    { engine, tried }: { readonly engine: Engine; readonly tried: Dataset | undefined },
  ): Promise<void> {
    const isChanged = this.options.target.current() !== tried
    if (isChanged && (await this.storeExpected([load], engine))) await this.resolveStored([load])
    else await this.storeSlowly(load, engine)
  }

  private async storeSlowly(load: Load, engine: Engine): Promise<void> {
    const { file, jobs } = load
    const target = { ...this.options.target, engine: fencedEngine(engine, leasesOf([load])) }
    const isNew = !target.current()?.hasFields
    const terms = jobs[0]?.terms ?? { timestampField: '' }
    const batch = new SlowPathBatch({ target, file, terms, timeForms: this.timeForms })
    const all = await batch.store().finally(() => removeLoads([load]))
    if (batch.passedFullCheck && !isNew) this.isFastCheckUseless = true
    for (const [i, job] of jobs.entries()) await this.resolve(job, all[i] ?? NOTHING_STORED)
  }

  private async resolve(job: Job, stored: StoredLines): Promise<void> {
    this.options.stored(stored.ingested)
    await this.options.named.resolve(job, stored)
  }
}

/** Stores all events and returns true; false, with nothing stored, when some events are unexpected. */
async function isStored(engine: Engine, insertion: Insertion): Promise<boolean> {
  try {
    await engine.load(insertStatement(insertion))
    return true
  } catch (error) {
    if (error instanceof EngineError && error.code === UNEXPECTED_EVENT_CODE) return false
    throw error
  }
}

/** Returns the files of columns, if all batches have one for the same schema. */
function columnsOf(loads: readonly Load[]): Pick<Insertion, 'files' | 'columns'> | undefined {
  const columns = loads[0]?.jobs[0]?.scan.schema?.output?.columns
  if (columns === undefined) return undefined
  const files: InsertionFile[] = []
  for (const { file, jobs } of loads) {
    const path = jobs.length === 1 ? jobs[0]?.scan.columns : undefined
    if (path === undefined) return undefined
    files.push({ ...file, path })
  }
  return { files, columns }
}

function fail(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.reject(error)
}
