import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { needsEmbedded } from '../../support/engine.js'
import { type Running, run } from '../running.js'

// A field gets another type or another column while a query waits for the engine. A column whose type the values of its field no longer
// fit loses its default, from which earlier events have their values.

let service: Running

beforeEach(async () => {
  service = await run()
  await ingest({ id: 1, took: 1 }, { id: 2, took: 2 })
  // Integers and other numbers are in a new column, whose default reads the column of integers.
  await ingest({ id: 3, took: 1.5 })
})

afterEach(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

async function ingest(...events: readonly object[]): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(events)
  const { status, text } = await service.send({ path: '/v1/ingest/logs', headers, body })
  expect(status, text).toBe(200)
}

/** Ingests an event before the next statement that reads the field, or before the statement that does so after `skipped` others. */
function beforeItIsRead(event: object, skipped = 0): void {
  const { store } = service
  const { read } = store
  let left = skipped
  const spy = vi.spyOn(store, 'read').mockImplementation(async (statement, limits) => {
    if (!statement.text.includes('took') || left-- > 0) return await read(statement, limits)
    spy.mockRestore()
    await ingest(event)
    return await read(statement, limits)
  })
}

async function columns(apl: string): Promise<unknown[][]> {
  const body = JSON.stringify({ apl })
  const path = '/v1/datasets/_apl?format=tabular'
  const { status, text, body: result } = await service.send({ path, body })
  expect(status, text).toBe(200)
  return result.tables[0].columns
}

describe('a query during which a column is retired', needsEmbedded, () => {
  it('finds the values of earlier events', async () => {
    beforeItIsRead({ id: 4, took: 'long' })
    expect(await columns('logs | where id < 4 | summarize n = countif(isnotnull(took))')).toEqual([
      [3],
    ])
  })

  it('finds the values of events that are stored meanwhile', async () => {
    beforeItIsRead({ id: 4, took: 'long' })
    expect(await columns('logs | where id == 4 | project took')).toEqual([['long']])
  })

  it('finds them in rows', async () => {
    beforeItIsRead({ id: 4, took: { seconds: 1 } })
    expect(await columns('logs | where id < 4 | sort by id asc | project took')).toEqual([
      [1, 2, 1.5],
    ])
  })

  it('finds them for the totals of time bins', async () => {
    const apl = 'logs | where id < 4 | summarize n = countif(isnotnull(took)) by bin(_time, 1h)'
    beforeItIsRead({ id: 4, took: 'long' }, 1)
    const path = '/v1/datasets/_apl?format=legacy'
    const { body: result } = await service.send({ path, body: JSON.stringify({ apl }) })
    expect(result.buckets.totals[0].aggregations[0].value).toBe(3)
  })
})

describe('a query during which a field without a column gets another type', needsEmbedded, () => {
  it('finds the values of events that are stored meanwhile', async () => {
    const events = Array.from({ length: 100 }, (_, i) => ({ id: 10 + i, took: i }))
    await ingest(...events, { id: 200, took: 1, rare: 1 })
    beforeItIsRead({ id: 201, took: 1, rare: 'text' })
    expect(
      await columns('logs | where id >= 200 and took == 1 | sort by id asc | project rare'),
    ).toEqual([[1, 'text']])
  })
})

describe('a query during which an event with a new field is stored', needsEmbedded, () => {
  it('shows the event with the field', async () => {
    beforeItIsRead({ id: 4, took: 2, error: 'closed' })
    expect(await columns('logs | where took >= 2 | sort by id asc | project-away _*')).toEqual([
      [null, 'closed'],
      [2, 4],
      [2, 2],
    ])
  })
  it('finds the event by a term in the field', async () => {
    beforeItIsRead({ id: 4, took: 2, error: 'closed' })
    expect(await columns("logs | search 'closed' | where took == 2 | project id")).toEqual([[4]])
  })
})
