import type { DatasetStats } from '../../../wire/http/dataset-info.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { counted, shortBytes } from '../../option/quantity.js'
import type { PrintFlags } from '../../output/flags.js'
import { printList } from '../../terminal/listing.js'
import type { DatasetContext } from './context.js'
import { damageLines } from './damage.js'

/** `evq dataset show`: one row per field, and the statistics of the dataset as a message. */
export async function showDataset(
  name: string,
  flags: PrintFlags,
  { datasets, context }: DatasetContext,
): Promise<ExitCode> {
  const { fields, retention, damage, ...stats } = await datasets.info(name)
  const kept = retention === undefined ? '' : `, kept for ${retention}`
  const texts = (values: readonly string[]) => ({ type: 'string', values })
  await printList(
    [
      { name: 'field', ...texts(fields.map((field) => field.name)) },
      { name: 'type', ...texts(fields.map((field) => field.type)) },
    ],
    context,
    flags,
  )
  context.info(`${name}: ${describeStats(stats)}, ${counted(fields.length, 'field')}${kept}`)
  if (damage !== undefined) {
    for (const line of damageLines(name, damage)) context.warn(line)
  }
  return EXIT.done
}

function describeStats({ numEvents, compressedBytes, minTime, maxTime }: DatasetStats): string {
  const events = `${counted(numEvents, 'event')}, ${shortBytes(compressedBytes)} on disk`
  return minTime === undefined ? events : `${events}, from ${minTime} to ${maxTime}`
}
