import { afterAll, expect, it } from 'vitest'
import { openEmbedded } from '../../../src/engine/clickhouse/embedded.js'
import { sql } from '../../../src/sql/sql.js'
import { temporaryDirectory } from '../../support/temporary.js'

const before = process.env.TZ

afterAll(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

it('opens the engine in UTC, and leaves the time zone of the process as it is', async () => {
  process.env.TZ = 'America/New_York'
  const engine = await openEmbedded({ directory: temporaryDirectory() })
  const { columns } = await engine.ask(sql`SELECT serverTimezone() AS zone`)
  await engine.close()
  expect(columns.get('zone')).toBe('["UTC"]')
  expect(process.env.TZ).toBe('America/New_York')
  expect(new Date(0).getHours()).toBe(19)
})
