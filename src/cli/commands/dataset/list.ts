import { counted } from '../../../text/integer.js'
import type { DamagedPart, DatasetStats } from '../../../wire/http/dataset-info.js'
import { shortBytes } from '../../option/quantity.js'
import type { PrintFlags } from '../../output/flags.js'
import { type ListColumn, printList } from '../../terminal/listing.js'
import type { DatasetContext } from './context.js'

/** `evq dataset list`: one row per dataset, sorted by name. */
export async function listDatasets(
  flags: PrintFlags,
  { datasets, context }: Pick<DatasetContext, 'datasets' | 'context'>,
): Promise<void> {
  const rows = await datasets.stats()
  const columns: readonly ListColumn<DatasetStats>[] = [
    { name: 'name', of: ({ name }) => name },
    { name: 'events', type: 'integer', of: ({ numEvents }) => numEvents },
    { name: 'bytes', type: 'bytes', of: (stats) => stats.compressedBytes, isSpare: true },
    { name: 'fields', type: 'integer', of: ({ numFields }) => numFields, isSpare: true },
    { name: 'first', type: 'datetime', of: ({ minTime }) => minTime, isSpare: true },
    { name: 'last', type: 'datetime', of: ({ maxTime }) => maxTime },
  ]
  await printList({ rows, columns }, context, flags)
  context.info(counted(rows.length, 'dataset'))
}

/** `evq dataset show`: one row per field, and the statistics of the dataset as a message. */
export async function showDataset(
  name: string,
  flags: PrintFlags,
  { datasets, context }: DatasetContext,
): Promise<void> {
  const { fields, retention, damage, ...stats } = await datasets.info(name)
  const kept = retention === undefined ? '' : `, kept for ${retention}`
  const columns: readonly ListColumn<(typeof fields)[number]>[] = [
    { name: 'field', of: (field) => field.name },
    // The interface has no type for a field whose values have several types; `getschema` has the same word for it.
    { name: 'type', of: ({ type }) => type || 'dynamic' },
  ]
  await printList({ rows: fields, columns }, context, flags)
  context.info(`${name}: ${describeStats(stats)}, ${counted(fields.length, 'field')}${kept}`)
  if (damage !== undefined) {
    for (const line of damageLines(name, damage)) context.warn(line)
  }
}

function describeStats({ numEvents, compressedBytes, minTime, maxTime }: DatasetStats): string {
  const events = `${counted(numEvents, 'event')}, ${shortBytes(compressedBytes)} on disk`
  return minTime === undefined ? events : `${events}, from ${minTime} to ${maxTime}`
}

const STATES: Readonly<Record<string, string>> = {
  lost: 'missing from all results',
  unreadable: 'unreadable, queries that need them fail',
}

/** Returns one line per damaged part, and one about the command that accepts the loss. */
function damageLines(dataset: string, parts: readonly DamagedPart[]): readonly string[] {
  const lines = parts.map(({ name, state, events }) => {
    const count = events === undefined ? 'an unknown number of events' : counted(events, 'event')
    return `${dataset}: part \`${name}\` is damaged: ${count} ${STATES[state] ?? state}`
  })
  const checking = parts.length === 0 ? [`${dataset}: its files are being checked for damage`] : []
  return [
    ...lines,
    ...checking,
    `\`evq dataset accept-loss ${dataset}\` accepts the loss: results are then complete for the events that are left.`,
  ]
}
