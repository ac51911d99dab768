import { describe, expect, it } from 'vitest'
import { decodeAplCheck } from '../../src/wire/check.js'
import { decodeDatasetInfo, decodeDatasetStats } from '../../src/wire/dataset-info.js'
import { decodeDatasetNames } from '../../src/wire/dataset-list.js'
import { MalformedAnswerError } from '../../src/wire/malformed-answer.js'
import { decodeStarredQueries } from '../../src/wire/starred.js'

describe('an answer that is a page of something in front of the service', () => {
  it.each([
    decodeAplCheck,
    decodeDatasetInfo,
    decodeDatasetNames,
    decodeDatasetStats,
    decodeStarredQueries,
  ])('is told as no answer of this interface by %o', (decode) => {
    expect(() => decode('<html>Sign in</html>')).toThrow(MalformedAnswerError)
  })
})
