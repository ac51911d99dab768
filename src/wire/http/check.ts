import { listOf, object, required, text } from '../shape/response.js'
import type { ValueOf } from '../shape/shape.js'

/** The response of `POST /v1/datasets/_apl/check`, an endpoint of the local service. */
export const APL_CHECK = object({
  /** `dynamic` when the type depends on the values. */
  columns: required(listOf(object({ name: text(), type: text() }), 'The columns of the result.')),
  apl: required(text('The query as parsed, formatted.')),
  sql: required(text('The compiled SQL.')),
})
export type AplCheck = ValueOf<typeof APL_CHECK>
