import type { Damage, DamagedPart } from '../../engine/maintenance/damage.js'
import { formatInteger } from '../../text/integer.js'
import type { Message } from '../../wire/http/tabular-result.js'

/** Returns the damage that affects the results of queries of these datasets. */
export function damageOf(
  datasets: readonly string[],
  damage: readonly Damage[],
): readonly Damage[] {
  if (damage.length === 0 || datasets.length === 0) return []
  return damage.filter(
    ({ dataset, affectsResults }) =>
      affectsResults && (dataset === undefined || datasets.includes(dataset)),
  )
}

export function damageMessage(damage: Damage): Message {
  return { priority: 'warn', code: 'damaged_data', count: 1, msg: damageText(damage) }
}

/** Describes the damage, and names the commands that show it and accept the loss. */
export function damageText({ dataset, parts }: Damage): string {
  if (dataset === undefined) {
    return 'Metadata files are damaged: fields, saved queries or settings may be missing. `evq dataset accept-loss --metadata` accepts the loss.'
  }
  const commands = `\`evq dataset show ${dataset}\` names them, \`evq dataset accept-loss ${dataset}\` accepts the loss.`
  return `Files of the dataset \`${dataset}\` are damaged: ${lossText(parts)}. ${commands}`
}

/** Returns the number of events in damaged parts as far as it is known. */
function damagedEvents(parts: readonly DamagedPart[]): number | undefined {
  const known = parts.flatMap(({ rows }) => rows ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, rows) => sum + rows, 0)
}

function lossText(parts: readonly DamagedPart[]): string {
  const events = damagedEvents(parts)
  const isExact = parts.every(({ rows }) => rows !== undefined)
  const missing = parts.every(({ state }) => state === 'lost') ? 'are missing' : "can't be read"
  if (events === undefined) return `some of its events ${missing.replace('are', 'may be')}`
  const count = `${formatInteger(events)} of its events`
  return isExact ? `${count} ${missing}` : `at least ${count} ${missing}`
}
