import { classifyLineInSteps } from '../../wire/event/classify-line.js'
import { pathKey } from '../../wire/json/field-path.js'
import { runInTurns, Turn } from '../../wire/steps/steps.js'
import { savePaths } from '../catalog/catalog.js'
import { type Dataset, type DatasetHandle, withoutFields } from '../catalog/dataset.js'
import { FieldStatistics, type PathStatistics } from '../catalog/field-statistics.js'
import { evolve, FREQUENT } from '../catalog/schema-change.js'
import { createTable } from '../catalog/table.js'
import { newTokenIndexes, withTokenIndexes } from '../catalog/token-indexes.js'
import { unexpectedLeaves } from './event-fields.js'
import type { Load } from './insert-job.js'
import { pickLines } from './picked-lines.js'
import { growSchema } from './schema-growth.js'

// The fields that a batch adds to a dataset, which must be locked by the caller.

/** Lines sampled to choose columns; fewer when they are long, but enough to tell which fields are frequent. */
const SAMPLE_LINES = 1000
const SAMPLE_BYTES = 1 << 20
const FEWEST_SAMPLE_EVENTS = 1 / FREQUENT
/** Even fewer lines are sampled when they are very long: a megabyte takes as long as storing ten. */
const MOST_SAMPLE_BYTES = 4 * SAMPLE_BYTES

/** Chooses columns from a sample of the first batch, and creates the dataset unless it exists or the batch has no events. */
export async function addFirstColumns(target: DatasetHandle, load: Load): Promise<void> {
  const { engine, name } = target
  const dataset = target.current() ?? withoutFields(name)
  const sample = await sampled(load, dataset, sampleStep(load))
  const { statistics, events } = sample.events > 0 ? sample : await sampled(load, dataset, 1)
  if (events === 0) return
  if (target.current() !== undefined) {
    await growSchema(target, { statistics, events, hasNewColumns: true })
    return
  }
  const { columns, dataset: created, paths } = evolve(dataset, statistics, events)
  await savePaths(engine, name, paths)
  const tokenIndexes = newTokenIndexes(created, columns)
  await engine.change(createTable(name, { columns, tokenIndexes, events: load.lines, engine }))
  target.changed(withTokenIndexes(created, tokenIndexes))
}

/**
 * Changes the schema so that it fits all values of a load that has been scanned. Returns true when new fields that are frequent have
 * no columns yet.
 */
export async function learnFields(target: DatasetHandle, load: Load): Promise<boolean> {
  const dataset = target.current()
  if (dataset === undefined) throw new Error('the dataset of the scanned events does not exist')
  const statistics = load.unexpected(dataset)
  const events = load.rows
  // A few events do not show which fields are frequent, and adding a column takes longer than storing them. All replicas have to add
  // it before the batch could be stored, which takes seconds.
  const hasNewColumns = events >= FEWEST_SAMPLE_EVENTS && target.engine.repeatsInserts !== true
  const frequent = frequentFields(load, dataset, statistics)
  if (hasNewColumns && frequent.length > 0) await sampleStrings(load, dataset, frequent)
  const isChanged = await growSchema(target, { statistics, events, hasNewColumns })
  // The next attempt would be identical.
  if (!isChanged) throw new Error('the scan reports values that do not change the schema')
  return frequent.length > 0 && !hasNewColumns
}

function frequentFields(
  load: Load,
  dataset: Dataset,
  statistics: FieldStatistics,
): readonly PathStatistics[] {
  return [...statistics.paths.values()].filter(
    ({ path, count }) => count >= load.rows * FREQUENT && !dataset.knows(path),
  )
}

async function sampleStrings(
  load: Load,
  dataset: Dataset,
  fields: readonly PathStatistics[],
): Promise<void> {
  const sample = await sampled(load, dataset, sampleStep(load))
  for (const one of fields) {
    const found = sample.statistics.paths.get(pathKey(one.path))
    if (found !== undefined) one.sample = found
  }
}

/** Returns the distance between the lines of a sample. */
function sampleStep({ lines, bytes }: Load): number {
  const linesIn = (limitBytes: number): number => (lines * limitBytes) / Math.max(1, bytes)
  const fewest = Math.min(FEWEST_SAMPLE_EVENTS, linesIn(MOST_SAMPLE_BYTES))
  const fitting = Math.max(fewest, linesIn(SAMPLE_BYTES))
  return Math.max(1, Math.ceil(lines / Math.min(SAMPLE_LINES, fitting)))
}

/** Reads every line of a load whose number is divisible by `step`. */
async function sampled(load: Load, dataset: Dataset, step: number) {
  const statistics = new FieldStatistics(step)
  let events = 0
  const turn = new Turn()
  for (const { terms, lines } of load.jobs) {
    for (const text of await pickLines(lines, step)) {
      if (turn.isOver) await turn.next()
      const event = await runInTurns(classifyLineInSteps(text, terms), turn)
      if (event.kind !== 'event') continue
      events++
      statistics.add(unexpectedLeaves(dataset, event.leaves, terms))
    }
  }
  return { statistics, events }
}
