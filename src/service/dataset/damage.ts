import type { DamagedPart as StoredDamage } from '../../engine/maintenance/damage.js'
import type { AcceptedLoss, Damage, DamagedPart } from '../../wire/http/dataset-info.js'
import { readJson } from '../body/json-body.js'
import { optionalMembers, text } from '../body/shape.js'
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

export function damagedPart({ name, state, rows }: StoredDamage): DamagedPart {
  return { name, state, events: rows }
}
