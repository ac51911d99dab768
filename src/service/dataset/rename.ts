import { missing } from '../body/decode.js'
import { readJson } from '../body/json-body.js'
import { optionalMembers, text } from '../body/shape.js'
import { json } from '../http.js'
import { checkDataset } from '../ingest/protocol.js'
import { RefusedError } from '../refused-error.js'
import type { Handler } from '../route.js'
import { moveDocuments } from './record.js'
import { unknownDataset } from './unknown-dataset.js'

/** The body of `renameDataset`. */
export const RENAME = optionalMembers({ name: text('The new name.') }, ['name'])

/** `POST /v1/datasets/<dataset>/rename`: renames a dataset; tokens that name it keep their permissions. */
export const renameDataset: Handler = async ({ request, parameters }, { store, access }) => {
  const { dataset = '' } = parameters
  const { name } = RENAME.decode('The request body', await readJson(request))
  if (name === undefined || name === '') throw missing('name', 'the new name')
  checkDataset(name)
  const outcome = name === dataset ? 'exists' : await store.rename(dataset, name)
  if (outcome === 'unknown') throw unknownDataset(dataset)
  if (outcome === 'exists') {
    throw new RefusedError('exists', `The dataset \`${name}\` already exists.`)
  }
  await moveDocuments(store, dataset, name)
  return json(200, { tokens: await access.renameDataset(dataset, name) })
}
