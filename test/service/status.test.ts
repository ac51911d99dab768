import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, run } from './running.js'

let service: Running

/** Two datasets, each stored as one block: 1,200 events, one per minute, from the start of 2026. */
const EVENTS = Array.from(
  { length: 1_200 },
  (_, i) => `{"_time":${1_767_225_600 + i * 60},"i":${i},"third":${i % 3}}\n`,
)

beforeAll(async () => {
  service = await run()
  const headers = { 'content-type': 'application/x-ndjson' }
  for (const name of ['logs', 'web'])
    await service.send({ path: `/v1/ingest/${name}`, headers, body: EVENTS })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

async function status(apl: string, more: object = {}, format = 'tabular') {
  const body = JSON.stringify({ apl, ...more })
  const response = await service.send({ path: `/v1/datasets/_apl?format=${format}`, body })
  expect(response.status, response.text).toBe(200)
  return response.body.status
}

describe('the block counts of a status', () => {
  it.each([
    ["['logs']", 1, 1],
    ["['logs'] | where third == 1 | limit 5", 1, 1],
    ["['logs'] | where third == 5", 1, 0],
    ["['logs'] | where _time > datetime(2026-02-01)", 1, 0],
    ["['logs'] | summarize count() by third", 1, 1],
    ["union ['logs'], ['web'] | where i == 0", 2, 2],
    ["['logs'] | join kind=inner (['web'] | where i < 5) on i", 2, 2],
    ["['logs'] | where i in ((['web'] | where i < 5 | project i))", 2, 2],
    ['print 1', 0, 0],
  ])('of %s are those within the time range of the request', async (apl, examined, matched) => {
    expect(await status(apl)).toMatchObject({
      blocksExamined: examined,
      blocksMatched: matched,
      blocksCached: 0,
    })
  })

  it('are 0 when the time range of the request is empty', async () => {
    const range = { startTime: '2026-02-01T00:00:00Z', endTime: '2026-03-01T00:00:00Z' }
    expect(await status("['logs']", range)).toMatchObject({ blocksExamined: 0, rowsMatched: 0 })
  })

  it('are included in the legacy format', async () => {
    expect(await status("['logs']", {}, 'legacy')).toMatchObject({ blocksExamined: 1 })
  })
})

describe('the group count of a status', () => {
  it.each([
    ["['logs']", 0],
    ["['logs'] | summarize count()", 1],
    ["['logs'] | summarize count() by third", 3],
    ["['logs'] | summarize count() by i", 1_200],
    ["['logs'] | summarize count() by i | top 2 by i", 1_200],
    ["['logs'] | summarize count() by i | limit 7", 1_200],
    ["['logs'] | summarize n = count() by i | where i < 9 | sort by i", 9],
    ["['logs'] | where i < 0 | summarize count() by i", 0],
  ])('of %s is that before the limit', async (apl, groups) => {
    expect((await status(apl)).numGroups).toBe(groups)
    expect((await status(apl, { defaultLimit: 1 })).numGroups).toBe(groups)
  })
})

describe('the number of matching events of a status without statistics', () => {
  const queryOptions = { disableStats: true }

  it.each([
    ["['logs'] | limit 5", 1_200],
    ["['logs'] | where third == 1 | summarize count() by third", 400],
    ["['logs'] | where third == 1 | distinct i | limit 5", 400],
    ["['logs'] | where third == 1", 400],
    ["['logs'] | where third == 5", 0],
  ])('of %s is exact, since it costs nothing', async (apl, matched) => {
    expect((await status(apl, { queryOptions })).rowsMatched).toBe(matched)
  })

  it.each(["['logs'] | where third == 1 | limit 5", "['logs'] | where third == 1 | top 5 by i"])(
    'of %s is that of the rows instead of 400',
    async (apl) => {
      expect((await status(apl)).rowsMatched).toBe(400)
      expect((await status(apl, { queryOptions })).rowsMatched).toBe(5)
    },
  )
})
