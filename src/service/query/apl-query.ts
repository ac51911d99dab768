import { legacyAplQuery } from '../legacy/apl-query.js'
import { invalidRequest } from '../refused-error.js'
import type { Handler } from '../route.js'
import { readAplRequest, tabularResponse } from './query.js'

/** `POST /v1/datasets/_apl?format=<format>`, also `/v1/query/_apl`: runs a query and returns its result in one of two formats. */
export const aplQuery: Handler = async (call, service) => {
  switch (call.request.query.get('format')) {
    case 'tabular':
      return await tabularResponse(call, service)
    case 'legacy':
      return await legacyAplQuery(call, service)
    default:
      // Clients check their credentials with an empty request without a format, and expect a 422.
      await readAplRequest(call.request)
      throw invalidRequest(
        'The URL must contain `format=tabular` or `format=legacy`, the format of the result.',
      )
  }
}
