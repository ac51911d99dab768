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
  const all = await datasets.stats()
  const column = (name: keyof DatasetStats, type: string, title: string = name): ListColumn => ({
    name: title,
    type,
    values: all.map((dataset) => dataset[name] ?? null),
    isSpare: name === 'compressedBytes' || name === 'numFields' || name === 'minTime',
  })
  await printList(
    [
      column('name', 'string'),
      column('numEvents', 'integer', 'events'),
      column('compressedBytes', 'integer', 'bytes'),
      column('numFields', 'integer', 'fields'),
      column('minTime', 'datetime', 'first'),
      column('maxTime', 'datetime', 'last'),
    ],
    context,
    flags,
  )
  context.info(counted(all.length, 'dataset'))
  return EXIT.done
}
