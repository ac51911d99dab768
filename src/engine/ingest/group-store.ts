import { type Dataset, withoutFields } from '../catalog/dataset.js'
import { fencedEngine } from '../cluster/fenced-engine.js'
import type { Engine } from '../engine.js'
import { addFirstColumns, learnFields } from './batch-fields.js'
import { type Job, type Load, loadsOf, storedLines } from './insert-job.js'
import { insertStatement } from './insertion.js'
import type { NamedBatches, NamedBatchesOptions } from './named-batches.js'

export interface GroupStoreOptions extends Omit<NamedBatchesOptions, 'savedOutcomes'> {
  readonly named: NamedBatches
  /** Prepares the dataset, if it exists. */
  open(): Promise<void>
  /** Runs work that changes the dataset while nothing is being stored; it must use the engine passed to it. */
  exclusively(work: (engine: Engine) => Promise<void>): Promise<void>
  /** Called with the number of events after each batch. */
  stored(events: number): void
  /** Called after events are stored that have frequent fields without columns. */
  lackingColumns(): void
}

/**
 * Returns a function that stores jobs together and settles them; it never rejects. A batch with values that the schema does not expect
 * is stored with exclusive access to the dataset, since it changes the schema first.
 */
export function groupStore(options: GroupStoreOptions): (group: readonly Job[]) => Promise<void> {
  const { named } = options

  async function storeNew(group: readonly Job[]): Promise<void> {
    // Prepared here, since the dataset can't be deleted while a group is being stored.
    await options.open()
    const jobs = await named.newOnes(group)
    if (jobs.length === 0) return
    const loads = loadsOf(jobs, options)
    try {
      const dataset = options.target.current()
      const expected: Load[] = []
      const others: Load[] = []
      for (const load of loads) {
        const isExpected = dataset?.hasFields && (await fits(load, dataset))
        if (isExpected) expected.push(load)
        else others.push(load)
      }
      if (dataset !== undefined) await storeExpected(expected, dataset)
      // Queued after the others are stored: a failure rejects all jobs, and a rejected job must not be stored later.
      for (const load of others) queueExclusive(load)
    } catch (error) {
      await removeAll(loads)
      throw error
    }
  }

  /** Stores all events, and settles their jobs. */
  async function storeExpected(
    loads: readonly Load[],
    dataset: Dataset,
    engine = options.target.engine,
  ): Promise<void> {
    const filled = loads.filter(({ rows }) => rows > 0)
    const [first] = filled
    if (first !== undefined) {
      const fenced = fencedEngine(
        engine,
        filled.flatMap(({ leases }) => leases),
      )
      const files = filled.map(({ file }) => file)
      const labels = first.jobs[0]?.terms.labels
      await fenced.load(insertStatement({ dataset, labels, files }))
    }
    await removeAll(loads)
    for (const job of loads.flatMap(({ jobs }) => jobs)) {
      const stored = storedLines(job)
      options.stored(stored.ingested)
      await named.resolve(job, stored)
    }
  }

  function queueExclusive(load: Load): void {
    options
      .exclusively((engine) => storeExclusively(load, engine))
      .catch(async (error: unknown) => {
        await load.remove()
        fail(load.jobs, error)
      })
  }

  async function storeExclusively(load: Load, engine: Engine): Promise<void> {
    const target = { ...options.target, engine: fencedEngine(engine, load.leases) }
    if (!target.current()?.hasFields) await addFirstColumns(target, load)
    const dataset = (): Dataset => target.current() ?? withoutFields(target.name)
    let lacksColumns = false
    while (!(await fits(load, dataset()))) {
      if (await learnFields(target, load)) lacksColumns = true
    }
    await storeExpected([load], dataset(), engine)
    if (lacksColumns) options.lackingColumns()
  }

  return (group) => storeNew(group).catch((error: unknown) => fail(group, error))
}

/** Reads the lines of a load for a dataset; true when it expects all values. */
async function fits(load: Load, dataset: Dataset): Promise<boolean> {
  await load.scan(dataset)
  return load.unexpected(dataset).isEmpty
}

async function removeAll(loads: readonly Load[]): Promise<void> {
  for (const load of loads) await load.remove()
}

function fail(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.reject(error)
}
