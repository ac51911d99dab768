import { describe, expect, it } from 'vitest'
import { checkApl } from '../../src/apl/language.js'

const codes = (apl: string, variables = {}): readonly string[] => {
  const read = checkApl(apl, { now: 0n, variables })
  return 'problems' in read ? read.problems.map(({ code }) => code) : []
}

describe('checkApl', () => {
  it('accepts any dataset and any field', () => {
    expect(
      codes("there | where a.b > 1 | summarize max(['x y']) by bin(_time, 1h) | count"),
    ).toEqual([])
    expect(
      codes('union a*, (b | where x > 1) | join (c | project d, e) on d | where f > 1'),
    ).toEqual([])
    expect(codes('there | where a in (b | project c) | lookup d on $left.e == $right.f')).toEqual(
      [],
    )
    expect(codes('there | make-series count() on _time step 1h')).toEqual([])
  })

  it('reports problems of syntax, functions and computed columns', () => {
    expect(codes('there | where a >')).toEqual(['syntax'])
    expect(codes('there | extend a = tolowre(b)')).toEqual(['unknown-function'])
    expect(codes('there | project a | where b > 1')).toEqual(['unknown-field'])
  })

  it('uses the variables of the request', () => {
    const apl = 'declare query_parameters (least:long); there | where a > least'
    expect(codes(apl, { least: 5 })).toEqual([])
    expect(codes(apl)).toEqual(['missing-parameter'])
  })

  it('lists the parameters of a request that lacks one', () => {
    const apl = 'declare query_parameters (least:long); there | where a > least'
    expect(checkApl(apl, { now: 0n, variables: { lesat: 5, s: 'x' } })).toMatchObject({
      problems: [{ code: 'missing-parameter', help: 'parameters of the request: lesat, s' }],
    })
  })
})
