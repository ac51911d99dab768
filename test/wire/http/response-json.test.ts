import { describe, expect, it } from 'vitest'
import { decodeAplCheck } from '../../../src/wire/http/check.js'
import {
  decodeDatasetInfo,
  decodeDatasetNames,
  decodeDatasetStats,
} from '../../../src/wire/http/dataset-info.js'
import { MalformedResponseError } from '../../../src/wire/http/response-json.js'
import { decodeStarredQueries } from '../../../src/wire/http/starred.js'

describe('the page of a proxy', () => {
  it.each([
    decodeAplCheck,
    decodeDatasetInfo,
    decodeDatasetNames,
    decodeDatasetStats,
    decodeStarredQueries,
  ])('is rejected as a response by %o', (decode) => {
    expect(() => decode('<html>Sign in</html>')).toThrow(MalformedResponseError)
  })
})
