import { describe, expect, it } from 'vitest'
import { decodeAplCheck } from '../../../src/wire/http/check.js'
import {
  decodeDatasetInfo,
  decodeDatasetNames,
  decodeDatasetStats,
} from '../../../src/wire/http/dataset-info.js'
import { MalformedResponseError } from '../../../src/wire/http/malformed-response.js'
import { decodeStarredQueries } from '../../../src/wire/http/starred.js'

describe('an answer that is a page of something in front of the service', () => {
  it.each([
    decodeAplCheck,
    decodeDatasetInfo,
    decodeDatasetNames,
    decodeDatasetStats,
    decodeStarredQueries,
  ])('is told as no answer of this interface by %o', (decode) => {
    expect(() => decode('<html>Sign in</html>')).toThrow(MalformedResponseError)
  })
})
