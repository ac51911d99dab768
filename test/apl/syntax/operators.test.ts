import { describe, expect, it } from 'vitest'
import { checked, firstOperator, NOW } from '../support.js'

describe('operators', () => {
  it('sort descending with nulls last, and ascending with nulls first', () => {
    const sort = firstOperator(
      'sort by status, method asc, uri desc nulls first, ok asc nulls last',
    )
    const keys = sort.kind === 'sort' ? sort.keys : []
    expect(keys.map(({ direction, nulls }) => `${direction} ${nulls}`)).toEqual([
      'desc last',
      'asc first',
      'desc first',
      'asc last',
    ])
  })

  it('compile top to a sort and a limit', () => {
    const { operators } = checked('logs | top 5 by duration asc')
    expect(operators).toMatchObject([
      { kind: 'sort', keys: [{ direction: 'asc', nulls: 'first' }] },
      { kind: 'limit', count: 5n },
    ])
  })

  it('compile count to a summarize of all rows', () => {
    expect(firstOperator('count')).toMatchObject({
      kind: 'summarize',
      by: [],
      aggregates: [{ column: { name: 'Count' }, value: { kind: 'aggregate', function: 'count' } }],
    })
  })

  it('have alternative spellings', () => {
    expect(firstOperator('take 5')).toEqual(firstOperator('limit 5'))
    expect(firstOperator('order by status')).toEqual(firstOperator('sort by status'))
    expect(firstOperator('where status <> 5')).toEqual(firstOperator('where status != 5'))
    expect(firstOperator('extend a = iif(ok, tolong(uri), toreal(uri))')).toEqual(
      firstOperator('extend a = iff(ok, toint(uri), todouble(uri))'),
    )
  })

  it('group without aggregations', () => {
    expect(firstOperator('summarize by service')).toMatchObject({
      by: [{ column: { name: 'service' } }],
      aggregates: [],
    })
  })

  it('compute with the results of aggregations', () => {
    expect(
      firstOperator('summarize rate = 100.0 * countif(status >= 500) / count()'),
    ).toMatchObject({
      aggregates: [{ column: { name: 'rate', type: 'real' }, value: { function: '/' } }],
    })
  })

  it('use one value of now() for the whole query', () => {
    expect(checked('logs | where _time > ago(1h)').now).toBe(NOW)
  })

  it('may be on separate lines, with comments, and end with a semicolon', () => {
    const text = "['logs'] // all of them\n  | where ok |\n  count // and that is that\n;"
    expect(checked(text).operators).toHaveLength(2)
  })
})

describe('fields', () => {
  const reference = { kind: 'reference', type: 'string', column: 10 }

  it.each([
    'geo.city',
    "['geo.city']",
    '["geo.city"]',
    "geo['city']",
    "['geo']['city']",
    String.raw`['geo\\.city']`,
  ])('are found by their flat name: %s', (written) => {
    const where = firstOperator(`where ${written} == "Oslo"`)
    expect(where).toMatchObject({ predicate: { arguments: [reference, { value: 'Oslo' }] } })
  })

  it.each([
    'attributes.a.b',
    "attributes['a']['b']",
    "['attributes']['a'].b",
    "['attributes.a.b']",
  ])('that are dynamic have parts: %s', (written) => {
    expect(firstOperator(`where isnull(${written})`)).toMatchObject({
      predicate: {
        arguments: [
          {
            kind: 'path',
            key: { value: 'b' },
            value: { kind: 'path', key: { value: 'a' }, value: { kind: 'reference', column: 12 } },
          },
        ],
      },
    })
  })

  it('keep dots in a quoted key', () => {
    expect(firstOperator("where isnull(attributes['a.b'])")).toMatchObject({
      predicate: { arguments: [{ kind: 'path', key: { value: 'a.b' } }] },
    })
  })

  it('have elements by position', () => {
    expect(firstOperator('extend x = tags[0], y = split(uri, "/")[-1]')).toMatchObject({
      computed: [
        { value: { kind: 'path', key: { type: 'int', value: 0n } } },
        { value: { kind: 'path', key: { value: -1n }, value: { function: 'split' } } },
      ],
    })
  })
})
