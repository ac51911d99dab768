import type { DamagedPart } from '../../../wire/http/dataset-info.js'
import { counted } from '../../option/quantity.js'

const STATES: Readonly<Record<string, string>> = {
  lost: 'missing from all results',
  unreadable: 'unreadable, queries that need them fail',
}

/** Returns one line per damaged part, and one about the command that accepts the loss. */
export function damageLines(dataset: string, parts: readonly DamagedPart[]): readonly string[] {
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
