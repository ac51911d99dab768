import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEmbedded } from '../../src/engine/embedded.js'
import { sql } from '../../src/sql/sql.js'
import { limits } from './temporary-store.js'

it('answers with nothing of a query that failed before', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  const engine = await openEmbedded({ directory })
  try {
    // Fails in its second row, when the first has been written.
    const failing = sql`SELECT accurateCast(toInt128(arrayJoin([7, 9223372036854775807])) + 1, 'Int64') AS secret SETTINGS max_block_size = 1`
    for (let round = 0; round < 20; round++) {
      await expect(engine.read(sql`SELECT * FROM (${failing})`, limits)).rejects.toMatchObject({
        code: 70,
      })
      expect(await engine.read(sql`SELECT 1 AS one`, limits)).toMatchObject({
        columns: new Map([['one', '[1]']]),
        rows: 1,
        rowsExamined: 1,
        rowsBeforeLimit: 1,
      })
    }
  } finally {
    await engine.close()
    await rm(directory, { recursive: true, force: true })
  }
})
