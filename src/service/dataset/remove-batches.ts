import { formatInteger } from '../../text/integer.js'
import { MAX_REMOVED_BATCHES } from '../../wire/http/dataset-info.js'
import { missing } from '../body/decode.js'
import { readJson } from '../body/json-body.js'
import { listOf, optionalMembers, text } from '../body/shape.js'
import { json } from '../http.js'
import { checkDataset } from '../ingest/protocol.js'
import { DOCUMENT_BODY_BYTES } from '../limits.js'
import { invalidField } from '../refused-error.js'
import type { Handler } from '../route.js'

/** The body of `removeBatches`. */
export const BATCH_REMOVAL = optionalMembers(
  { ids: listOf(text(), `Batch ids, at most ${formatInteger(MAX_REMOVED_BATCHES)}.`) },
  ['ids'],
)

/**
 * `POST /v1/datasets/<dataset>/_batches/remove`: deletes the events of batches. The batches can't be stored later, so that a
 * request still in flight does not bring them back. A repeated request gets the same response.
 */
export const removeBatches: Handler = async ({ request, parameters }, { store }) => {
  const { dataset = '' } = parameters
  checkDataset(dataset)
  const body = await readJson(request, DOCUMENT_BODY_BYTES)
  const { ids } = BATCH_REMOVAL.decode('The request body', body)
  if (ids === undefined) throw missing('ids', 'the ids of the batches to remove')
  if (ids.length > MAX_REMOVED_BATCHES) {
    throw invalidField(
      `\`ids\` has ${formatInteger(ids.length)} batch ids; at most ${formatInteger(MAX_REMOVED_BATCHES)} are removed at once. Send several requests.`,
    )
  }
  return json(200, { removed: await store.removeBatches(dataset, ids) })
}
