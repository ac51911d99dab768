import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, run } from './running.js'

let service: Running

beforeAll(async () => {
  service = await run()
  await ingest('full', [
    { level: 'info' },
    wide(5_000),
    { late: 'needle', k4999: 7, deep: { n: 8 } },
  ])
  const users = Array.from({ length: 3_000 }, (_, i) => ({ users: { [`u-${i}`]: { x: i } } }))
  await ingest('ids', [...users, { users: { 'a.b': 'needle' }, level: 'info' }])
})

afterAll(() => service.close())

function wide(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
}

async function ingest(dataset: string, events: readonly object[]): Promise<void> {
  const { body } = await service.send({
    path: `/v1/ingest/${dataset}`,
    headers: { 'content-type': 'application/x-ndjson' },
    body: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  })
  expect(body).toMatchObject({ ingested: events.length, failed: 0 })
}

async function ask(apl: string) {
  return await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl }),
  })
}

async function columns(apl: string): Promise<unknown[][]> {
  const { status, text, body } = await ask(apl)
  expect(status, text).toBe(200)
  return body.tables[0].columns
}

it('finds and sorts the distinct values of many fields', async () => {
  const same = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`b${i}`, 1]))
  const last = [{ z: 2 }, { z: 1, y: 'a' }, {}, { z: 2 }, { z: 1 }]
  await ingest(
    'equal',
    last.map((own) => ({ ...same, ...own })),
  )
  const found = await ask("['equal'] | project-away _time, _sysTime | distinct *")
  const [y, z] = found.body.tables[0].columns.slice(-2)
  expect(y).toEqual([null, null, null, 'a'])
  expect(z).toEqual([null, 1, 2, 1])
  expect(found.body.status).toMatchObject({ rowsMatched: 5 })
})

describe('an object keyed by ids', () => {
  it.each([
    `where users['u-2999'].x == 2999 | project x = users['u-2999'].x`,
    `where ['users.u-2999.x'] == 2999 | project x = ['users.u-2999.x']`,
    `where users['u-2999']['x'] == 2999 | project x = users['u-2999']['x']`,
  ])('can be queried by key: %s', async (steps) => {
    expect(await columns(`['ids'] | ${steps}`)).toEqual([[2999]])
  })

  it('can have keys with dots', async () => {
    const apl = `['ids'] | where users['a.b'] == 'needle' | project level`
    expect(await columns(apl)).toEqual([['info']])
  })

  it('is returned whole, and can be searched', async () => {
    const apl = `search in (ids) 'needle' | project users`
    expect(await columns(apl)).toEqual([[{ 'a.b': 'needle' }]])
  })
})

describe('a value beyond the limit of fields', () => {
  it('is part of `_source`', async () => {
    const apl = `['full'] | where _source.k4999 == 7 | project _source.late, n = _source['deep']['n']`
    expect(await columns(apl)).toEqual([['needle'], [8]])
  })

  it('is returned with the whole event', async () => {
    const apl = `['full'] | where _source has 'needle' | project _source`
    expect(await columns(apl)).toEqual([[{ late: 'needle', k4999: 7, deep: { n: 8 } }]])
  })

  it('is explained by the message about its name', async () => {
    const { body } = await ask(`['full'] | where k4999 == 7`)
    expect(body.problems[0].help).toContain(
      'fields beyond the limit are in the whole event: `_source["k4999"]`',
    )
    expect(await columns(`['full'] | where _source["k4999"] == 7 | count`)).toEqual([[1]])
  })
})

it('lists the fields of a dataset up to the limit', async () => {
  const { body } = await service.send({ method: 'GET', path: '/v1/datasets/full/info' })
  expect(body.fields).toHaveLength(2 + 2_048 + 1)
  expect(body.numEvents).toBe(3)
  const schema = await columns(`['full'] | getschema | count`)
  expect(schema).toEqual([[2 + 2_048 + 1]])
  expect(await columns(`['full'] | take 1`)).toHaveLength(2 + 2_048 + 1)
})
