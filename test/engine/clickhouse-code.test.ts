import { expect, it } from 'vitest'
import { CODE } from '../../src/text/clickhouse-code.js'
import { TemporaryStore } from './temporary-store.js'

it('error codes have the names that ClickHouse gives them', async () => {
  const evq = await TemporaryStore.open()
  const codes = Object.values(CODE).join(', ')
  const { name } = await evq.query(
    `SELECT errorCodeToName(code) AS name FROM (SELECT arrayJoin([${codes}]) AS code)`,
  )
  expect(name).toEqual(Object.keys(CODE).map((own) => JSON.stringify(own)))
})
