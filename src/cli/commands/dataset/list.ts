import type { DatasetStats } from '../../../wire/http/dataset-info.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { counted } from '../../option/quantity.js'
import type { PrintFlags } from '../../output/flags.js'
import { type ListColumn, printList } from '../../terminal/listing.js'
import type { DatasetContext } from './context.js'

/** `evq dataset list`: one row per dataset, sorted by name. */
export async function listDatasets(
  flags: PrintFlags,
  { datasets, context }: Pick<DatasetContext, 'datasets' | 'context'>,
): Promise<ExitCode> {
  const rows = await datasets.stats()
  const columns: readonly ListColumn<DatasetStats>[] = [
    { name: 'name', of: ({ name }) => name },
    { name: 'events', type: 'integer', of: ({ numEvents }) => numEvents },
    { name: 'bytes', type: 'integer', of: (stats) => stats.compressedBytes, isSpare: true },
    { name: 'fields', type: 'integer', of: ({ numFields }) => numFields, isSpare: true },
    { name: 'first', type: 'datetime', of: ({ minTime }) => minTime, isSpare: true },
    { name: 'last', type: 'datetime', of: ({ maxTime }) => maxTime },
  ]
  await printList({ rows, columns }, context, flags)
  context.info(counted(rows.length, 'dataset'))
  return EXIT.done
}
