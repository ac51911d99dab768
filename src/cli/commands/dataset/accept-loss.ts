import { counted } from '../../../text/integer.js'
import type { DamagedPart } from '../../../wire/http/dataset-info.js'
import { UsageError } from '../../error/usage-error.js'
import { type ConfirmFlags, type DatasetContext, isConfirmed } from './context.js'

export interface AcceptLossFlags extends ConfirmFlags {
  readonly metadata?: boolean
}

export async function acceptLoss(
  dataset: string | undefined,
  flags: AcceptLossFlags,
  found: DatasetContext,
): Promise<void> {
  if ((dataset === undefined) !== (flags.metadata === true)) {
    throw new UsageError('`evq dataset accept-loss` takes a dataset, or `--metadata`.')
  }
  const { datasets, context, connection } = found
  const name = dataset ?? 'metadata'
  const damage = (await datasets.damage()).find((one) => one.dataset === dataset)
  if (damage === undefined) {
    // Rejects for an unknown dataset.
    if (dataset !== undefined) await datasets.info(dataset)
    context.info(`${name}: nothing is damaged`)
    return
  }
  const question = async () =>
    `Accept the loss of ${lossText(dataset, damage.parts)} from ${connection.name}?`
  if (!(await isConfirmed('evq dataset accept-loss', { flags, question }, found))) return
  const { parts, repaired, folder } = await datasets.acceptLoss(dataset)
  if (repaired.length > 0) {
    context.info(`${name}: ${counted(repaired.length, 'damaged part')} repaired without loss`)
  }
  if (parts.length > 0) {
    const kept = folder === undefined ? '' : `; the damaged files are in \`${folder}\``
    context.info(`${name}: loss of ${lossText(dataset, parts)} accepted${kept}`)
  }
}

function lossText(dataset: string | undefined, parts: readonly DamagedPart[]): string {
  const known = parts.flatMap(({ events }) => events ?? [])
  const events = known.reduce((sum, count) => sum + count, 0)
  const isExact = known.length === parts.length
  const rows = counted(events, dataset === undefined ? 'row' : 'event')
  const loss = isExact ? rows : events === 0 ? 'an unknown number of events' : `at least ${rows}`
  return `${loss} in ${counted(parts.length, 'damaged part')} of ${dataset === undefined ? 'the metadata' : `\`${dataset}\``}`
}
