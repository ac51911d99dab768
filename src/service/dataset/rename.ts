import { type JsonSchema, object } from '../../wire/shape/json-schema.js'
import { readJson } from '../body/json-body.js'
import { optionalMembers, text } from '../body/shape.js'
import { json, type ServiceResponse } from '../http.js'
import { checkDataset } from '../ingest/protocol.js'
import { RefusedError } from '../refused-error.js'
import type { Call, Service } from '../route.js'
import { moveRecord } from './record.js'
import { moveRetention } from './retention-setting.js'
import { unknownDataset } from './unknown-dataset.js'

const NAME = text('The new name.')
const RENAME = optionalMembers({ name: NAME })

/** The schema of the body. */
export const RENAME_SCHEMA: JsonSchema = object({ name: NAME.schema })

/** `POST /v1/datasets/<dataset>/rename`: renames a dataset; tokens that name it keep their permissions. */
export async function renameDataset(
  { request, parameters }: Call,
  { store, access }: Service,
): Promise<ServiceResponse> {
  const { dataset = '' } = parameters
  const { name } = RENAME.decode('The request body', await readJson(request))
  if (name === undefined || name === '') {
    throw new RefusedError('invalid-field', 'The request has no `name`, the new name.')
  }
  checkDataset(name)
  const outcome = name === dataset ? 'exists' : await store.rename(dataset, name)
  if (outcome === 'unknown') throw unknownDataset(dataset)
  if (outcome === 'exists') {
    throw new RefusedError('exists', `The dataset \`${name}\` already exists.`)
  }
  await moveRetention(store, dataset, name)
  await moveRecord(store, dataset, name)
  return json(200, { tokens: await access.renameDataset(dataset, name) })
}
