import type { CheckedQuery } from '../../apl/check/checked.js'
import type { Damage as StoredDamage } from '../../engine/maintenance/damage.js'
import type { DamagedPart as StoredPart } from '../../engine/maintenance/part-ledger.js'
import { formatInteger } from '../../text/integer.js'
import { matchesWildcard } from '../../text/wildcard.js'
import type { AcceptedLoss, Damage, DamagedPart } from '../../wire/http/dataset-info.js'
import type { Message } from '../../wire/http/tabular-result.js'
import { optionalMembers, text } from '../../wire/shape/request.js'
import { readJson } from '../body/json-body.js'
import { json } from '../http.js'
import type { Handler } from '../route.js'
import { unknownDataset } from './unknown-dataset.js'

export const LOSS_ACCEPTANCE = optionalMembers({
  dataset: text('The dataset; without it, the metadata of all datasets.'),
})

/** `GET /v1/datasets/_damage`: the damage of stored data; an empty list when nothing is damaged. */
export const listDamage: Handler = async (_, { store }) => {
  return json(
    200,
    store.damage.map(({ dataset, parts }): Damage => {
      const damaged = parts.map(damagedPart)
      return dataset === undefined ? { parts: damaged } : { dataset, parts: damaged }
    }),
  )
}

/**
 * `POST /v1/datasets/_damage/accept`: accepts the loss of damaged data, so that results count as complete again. Has no effect
 * without damage.
 */
export const acceptLoss: Handler = async ({ request }, { store }) => {
  const { dataset } = LOSS_ACCEPTANCE.decode('The request body', await readJson(request))
  const isDamaged = store.damage.some((damage) => damage.dataset === dataset)
  if (dataset !== undefined && !isDamaged && store.layout(dataset) === undefined) {
    throw unknownDataset(dataset)
  }
  const { parts, repaired, folder } = await store.acceptLoss(dataset)
  const accepted: AcceptedLoss = {
    parts: parts.map(damagedPart),
    repaired: repaired.map(damagedPart),
    folder,
  }
  return json(200, accepted)
}

export function damagedPart({ name, state, rows }: StoredPart): DamagedPart {
  return { name, state, events: rows }
}

/** Returns the damage that affects the results of a query. A dataset may be lost as a whole: its name still matches patterns. */
export function damageOf(
  {
    datasets,
    checked,
  }: { readonly datasets: readonly string[]; readonly checked: Pick<CheckedQuery, 'patterns'> },
  damage: readonly StoredDamage[],
): readonly StoredDamage[] {
  if (damage.length === 0 || datasets.length === 0) return []
  const isRead = (name: string) =>
    datasets.includes(name) || checked.patterns.some((pattern) => matchesWildcard(name, pattern))
  return damage.filter(
    ({ dataset, affectsResults }) => affectsResults && (dataset === undefined || isRead(dataset)),
  )
}

export function damageMessage(damage: StoredDamage): Message {
  return { priority: 'warn', code: 'damaged_data', count: 1, msg: damageText(damage) }
}

/** Describes the damage, and names the commands that show it and accept the loss. */
export function damageText({ dataset, parts }: StoredDamage): string {
  if (dataset === undefined) {
    return 'Metadata files are damaged: fields, saved queries or settings may be missing. `evq dataset accept-loss --metadata` accepts the loss.'
  }
  const commands = `\`evq dataset show ${dataset}\` names them, \`evq dataset accept-loss ${dataset}\` accepts the loss.`
  return `Files of the dataset \`${dataset}\` are damaged: ${lossText(parts)}. ${commands}`
}

/** Returns the number of events in damaged parts as far as it is known. */
function damagedEvents(parts: readonly StoredPart[]): number | undefined {
  const known = parts.flatMap(({ rows }) => rows ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, rows) => sum + rows, 0)
}

function lossText(parts: readonly StoredPart[]): string {
  const events = damagedEvents(parts)
  const isExact = parts.every(({ rows }) => rows !== undefined)
  const missing = parts.every(({ state }) => state === 'lost') ? 'are missing' : "can't be read"
  if (events === undefined) return `some of its events ${missing.replace('are', 'may be')}`
  const count = `${formatInteger(events)} of its events`
  return isExact ? `${count} ${missing}` : `at least ${count} ${missing}`
}
