import { describe, expect, it } from 'vitest'
import { runningWith } from './running.js'

const EVENTS = `
{"_time":"2026-01-01T10:00:01Z","n":1,"service":"web","took":10,"big":9007199254740993,"geo":{"city":"Ulm"},"mixed":"7"}
{"_time":"2026-01-01T10:00:02Z","n":2,"service":"Web","took":20.5,"big":9007199254740992,"text":"100% sure","mixed":7}
{"_time":"2026-01-01T10:00:03Z","n":3,"service":"api","took":30,"ok":true,"text":"An error\\nin \\"it\\"","it's [a] \`name\`":"\\\\' or 1=1 --"}
{"_time":"2026-01-01T10:00:04Z","n":4,"service":"api","took":50,"ok":false}
`

const service = runningWith({ logs: EVENTS })

async function send(filter: unknown) {
  const body = JSON.stringify({ filter, order: [{ field: 'n' }] })
  return await service.send({ path: '/v1/datasets/logs/query', body })
}

/** The `n` of the events that match the filter. */
async function numbersOf(filter: unknown): Promise<readonly number[]> {
  const { status, body, text } = await send(filter)
  expect(status, text).toBe(200)
  return body.matches.map(({ data }: { data: { n: number } }) => data.n)
}

async function refused(filter: unknown, status: number): Promise<string> {
  const response = await send(filter)
  expect(response.status, response.text).toBe(status)
  return response.body.message
}

describe('legacy filters', () => {
  it.each([
    ['==', 'eq', [2]],
    ['!=', 'ne', [1, 3, 4]],
    ['>', 'gt', [3, 4]],
    ['>=', 'gte', [2, 3, 4]],
    ['<', 'lt', [1]],
    ['<=', 'lte', [1, 2]],
  ])('%s and %s compare values', async (sign, word, expected) => {
    expect(await numbersOf({ op: sign, field: 'took', value: 20.5 })).toEqual(expected)
    expect(await numbersOf({ op: word.toUpperCase(), field: 'took', value: 20.5 })).toEqual(
      expected,
    )
  })

  it.each([
    ['starts-with', 'A', [3], [3]],
    ['not-starts-with', '100', [1, 3, 4], [1, 3, 4]],
    ['ends-with', 'SURE', [], [2]],
    ['not-ends-with', 'SURE', [1, 2, 3, 4], [1, 3, 4]],
    ['contains', 'ERROR\nin "', [], [3]],
    ['contains', '0% s', [2], [2]],
    ['not-contains', 'ERROR', [1, 2, 3, 4], [1, 2, 4]],
    ['regexp', '^AN .*R$', [], []],
    ['regexp', '^an er+or', [], [3]],
    ['not-regexp', '^an er+or', [1, 2, 3, 4], [1, 2, 4]],
  ])('%s %j matches with and without case sensitivity', async (op, value, exact, ignoring) => {
    const filter = { op, field: 'text', value }
    expect(await numbersOf(filter)).toEqual(exact)
    expect(await numbersOf({ ...filter, caseSensitive: true })).toEqual(exact)
    expect(await numbersOf({ ...filter, caseSensitive: false })).toEqual(ignoring)
  })

  it('== and != ignore case on request', async () => {
    const filter = { field: 'service', value: 'WEB', caseSensitive: false }
    expect(await numbersOf({ op: '==', ...filter })).toEqual([1, 2])
    expect(await numbersOf({ op: '!=', ...filter })).toEqual([3, 4])
    expect(await numbersOf({ op: '==', field: 'service', value: 'Web' })).toEqual([2])
  })

  it('exists and not-exists handle fields, objects and unknown fields', async () => {
    expect(await numbersOf({ op: 'exists', field: 'ok' })).toEqual([3, 4])
    expect(await numbersOf({ op: 'not-exists', field: 'ok' })).toEqual([1, 2])
    expect(await numbersOf({ op: 'exists', field: 'geo.city' })).toEqual([1])
    expect(await numbersOf({ op: 'exists', field: 'geo' })).toEqual([1])
    expect(await numbersOf({ op: 'exists', field: 'nowhere' })).toEqual([])
    expect(await numbersOf({ op: 'not-exists', field: 'nowhere' })).toEqual([1, 2, 3, 4])
  })

  it('== null and != null are equivalent to not-exists and exists', async () => {
    expect(await numbersOf({ op: '==', field: 'ok', value: null })).toEqual([1, 2])
    expect(await numbersOf({ op: '!=', field: 'ok', value: null })).toEqual([3, 4])
    expect(await refused({ op: '>', field: 'took', value: null }, 422)).toContain('no `value`')
  })

  it('combines children with and, or and not', async () => {
    const api = { op: '==', field: 'service', value: 'api' }
    const slow = { op: '>', field: 'took', value: 20 }
    const ok = { op: '==', field: 'ok', value: true }
    expect(await numbersOf({ op: 'and', children: [api, slow, ok] })).toEqual([3])
    expect(await numbersOf({ op: 'or', children: [api, slow] })).toEqual([2, 3, 4])
    expect(await numbersOf({ op: 'not', children: [api] })).toEqual([1, 2])
    const either = { op: 'or', children: [{ op: 'not', children: [slow] }, ok] }
    expect(
      await numbersOf({ op: 'and', children: [either, { op: 'exists', field: 'n' }] }),
    ).toEqual([1, 3])
  })

  it('a group without children, and a not with two, are refused', async () => {
    expect(await refused({ op: 'and' }, 422)).toContain('`children`')
    expect(await refused({ op: 'or', children: [] }, 422)).toContain('`children`')
    const ok = { op: 'exists', field: 'ok' }
    expect(await refused({ op: 'not', children: [ok, ok] }, 422)).toContain('exactly one')
    expect(await refused({ op: 'and', children: [ok, 'ok'] }, 400)).toContain('an object')
  })

  it('times are compared as times', async () => {
    const value = '2026-01-01T11:00:03+01:00'
    expect(await numbersOf({ op: '<', field: '_time', value })).toEqual([1, 2])
    expect(await refused({ op: '<', field: '_time', value: 'noon' }, 400)).toContain('`noon`')
  })

  it('integers are exact, in strings and as numbers', async () => {
    expect(await numbersOf({ op: '==', field: 'big', value: '9007199254740993' })).toEqual([1])
    expect(await numbersOf({ op: '==', field: 'big', value: '9007199254740992' })).toEqual([2])
    const filter = '{"op":"==","field":"big","value":9007199254740993,"caseSensitive":true}'
    const body = `{"filter":${filter},"limit":9007199254740993}`
    const response = await service.send({ path: '/v1/datasets/logs/query', body })
    expect(response.body.matches.map(({ data }: { data: { n: number } }) => data.n)).toEqual([1])
    expect(response.text).toContain(`"request":{"limit":9007199254740993,"filter":${filter}}`)
    const beyond = '{"filter":{"op":"<","field":"big","value":123456789012345678901234567890}}'
    const all = await service.send({ path: '/v1/datasets/logs/query', body: beyond })
    expect(all.body.matches.map(({ data }: { data: { n: number } }) => data.n)).toEqual([2, 1])
  })

  it('string operators match numbers as strings', async () => {
    expect(await numbersOf({ op: 'starts-with', field: 'took', value: '2' })).toEqual([2])
    expect(await numbersOf({ op: 'contains', field: '_time', value: ':03' })).toEqual([3])
  })

  it('names and values cannot inject syntax', async () => {
    const field = "it's [a] `name`"
    expect(await numbersOf({ op: '==', field, value: "\\' or 1=1 --" })).toEqual([3])
    expect(await numbersOf({ op: 'exists', field })).toEqual([3])
    const hostile = '"] or true or x == ["'
    expect(await numbersOf({ op: '==', field: 'service', value: hostile })).toEqual([])
    expect(await refused({ op: '==', field: hostile, value: 1 }, 400)).toContain('no field')
  })

  it('values of the wrong type are refused', async () => {
    expect(await refused({ op: 'contains', field: 'text', value: 3 }, 400)).toContain('a string')
    expect(await refused({ op: 'contains', field: 'text' }, 422)).toContain('no `value`')
    expect(await refused({ op: '==', field: 'text', value: ['a'] }, 400)).toContain('`value`')
    expect(await refused({ op: 'exists' }, 422)).toContain('no `field`')
    expect(await refused({ op: '==', field: 'n', value: 1, caseSensitive: 'no' }, 400)).toContain(
      '`caseSensitive`',
    )
    expect(await refused({ op: 'regexp', field: 'text', value: '(' }, 400)).toContain(
      'regular expression',
    )
  })

  it('a thousand conditions in one list are accepted, a thousand nested ones are refused', async () => {
    const values = Array.from({ length: 1_000 }, (_, i) => i + 3)
    const children = values.map((value) => ({ op: '==', field: 'n', value }))
    expect(await numbersOf({ op: 'or', children })).toEqual([3, 4])
    const deep = (levels: number) =>
      values
        .slice(0, levels)
        .reduce<object>((inner) => ({ op: 'not', children: [inner] }), { op: 'exists', field: 'n' })
    expect(await numbersOf(deep(20))).toEqual([1, 2, 3, 4])
    expect(await refused(deep(50), 400)).toContain('nested')
    await refused(deep(1_000), 400)
  })
})
