import { describe, expect, it } from 'vitest'
import { decodeAplRequest } from '../../../src/wire/http/query.js'
import { RequestError } from '../../../src/wire/shape/request-error.js'

function refusal(body: unknown): { code: number; message: string } {
  try {
    decodeAplRequest(body)
  } catch (error) {
    if (error instanceof RequestError) {
      return { code: error.reason === 'invalid-field' ? 422 : 400, message: error.message }
    }
    throw error
  }
  throw new Error('it was accepted')
}

describe('decodeAplRequest', () => {
  it('reads every member', () => {
    const request = {
      apl: "['logs']",
      startTime: 'now-1h',
      endTime: 'now',
      cursor: 'c',
      includeCursor: true,
      includeCursorField: false,
      defaultLimit: 10,
      defaultOrder: [{ field: '_time', desc: true }],
      libraries: ['l'],
      queryOptions: {
        disableCache: true,
        disableStats: true,
        disableTrace: false,
        maxDataPoints: 5,
        maxSeries: 6,
        noAggregation: true,
        noFill: true,
        noInterpolation: true,
        priority: 'high',
        resolution: 'auto',
      },
      variables: { n: 5 },
    }
    expect(decodeAplRequest(request)).toEqual(request)
  })

  it('treats null as absent and ignores unknown members', () => {
    expect(decodeAplRequest({ apl: 'a', startTime: null, queryOptions: null, more: 1 })).toEqual({
      apl: 'a',
    })
  })

  it("treats Go's zero time as absent", () => {
    const zero = '0001-01-01T00:00:00Z'
    expect(decodeAplRequest({ apl: 'a', startTime: zero, endTime: zero })).toEqual({ apl: 'a' })
  })

  it.each([
    [[], 'The request body must be an object.'],
    ['apl', 'The request body must be an object.'],
    [{ apl: 1 }, '`apl` must be a string.'],
    [{ apl: 'a', startTime: 1 }, '`startTime` must be a string.'],
    [{ apl: 'a', includeCursor: 'yes' }, '`includeCursor` must be true or false.'],
    [{ apl: 'a', defaultLimit: 1.5 }, '`defaultLimit` must be a non-negative integer.'],
    [{ apl: 'a', defaultLimit: -1 }, '`defaultLimit` must be a non-negative integer.'],
    [{ apl: 'a', libraries: 'l' }, '`libraries` must be an array.'],
    [{ apl: 'a', libraries: [1] }, 'An element of `libraries` must be a string.'],
    [{ apl: 'a', variables: [] }, '`variables` must be an object.'],
    [{ apl: 'a', queryOptions: { noFill: 1 } }, '`noFill` must be true or false.'],
  ])('refuses a wrong type with 400: %j', (body, message) => {
    expect(refusal(body)).toEqual({ code: 400, message })
  })

  it.each([
    [{}, 'The request has no `apl`, the query to run.'],
    [{ apl: ' ' }, 'The request has no `apl`, the query to run.'],
    [
      { apl: 'a', queryOptions: { priority: 'urgent' } },
      '`priority` is `low`, `medium` or `high`, not `urgent`.',
    ],
    [{ apl: 'a', defaultOrder: [{ desc: true }] }, 'An element of `defaultOrder` has no `field`.'],
  ])('refuses missing members and unknown keywords with 422: %j', (body, message) => {
    expect(refusal(body)).toEqual({ code: 422, message })
  })
})
