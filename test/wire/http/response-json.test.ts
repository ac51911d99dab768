import { describe, expect, it } from 'vitest'
import { APL_CHECK } from '../../../src/wire/http/check.js'
import {
  DATASET_INFO,
  DATASET_STATS,
  decodeDatasetNames,
} from '../../../src/wire/http/dataset-info.js'
import { MalformedResponseError } from '../../../src/wire/http/response-json.js'
import { decodeStarredQueries } from '../../../src/wire/http/starred.js'
import { decodeResponse, listOf, type ResponseShape } from '../../../src/wire/shape/response.js'

const decoded = (shape: ResponseShape<unknown>) => (text: string) => decodeResponse(text, shape)

describe('the page of a proxy', () => {
  it.each([
    ['a compiled query', decoded(APL_CHECK)],
    ['a dataset', decoded(DATASET_INFO)],
    ['the names of datasets', decodeDatasetNames],
    ['the statistics of datasets', decoded(listOf(DATASET_STATS))],
    ['saved queries', decodeStarredQueries],
  ])('is rejected as a response with %s', (_, decode) => {
    expect(() => decode('<html>Sign in</html>')).toThrow(MalformedResponseError)
  })
})
