import { describe, expect, it } from 'vitest'
import { bytesToDelete } from '../../src/engine/catalog/deletion.js'
import { checkSpaceToDelete } from '../../src/engine/spool.js'
import { sql } from '../../src/sql/sql.js'
import { needsEmbedded } from '../support/engine.js'
import { ndjson, TemporaryStore } from './temporary-store.js'

/** Events with these numbers. */
const numbered = (...numbers: readonly number[]) => ndjson(numbers.map((n) => ({ n })))

describe('the space for a deletion', needsEmbedded, () => {
  it('is the size of the rewritten parts, less the size of the parts without other events', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(numbered(1))
    await evq.change('SYSTEM STOP MERGES datasets.logs')
    try {
      await evq.ingest(numbered(2, 3, ...Array.from({ length: 1_000 }, (_, i) => 10 + i)))
      const small = sql`\`n:int\` = 1`
      const { bytes = [] } = await evq.query(
        "SELECT bytes_on_disk AS bytes FROM system.parts WHERE active AND database = 'datasets' AND table = 'logs' ORDER BY rows",
      )
      const [one, many] = bytes.map(Number)
      const { engine } = evq.world
      expect(await bytesToDelete(engine, 'logs', small)).toBe(0)
      expect(await bytesToDelete(engine, 'logs', sql`\`n:int\` = 3`)).toBe(many)
      expect(await bytesToDelete(engine, 'logs', sql`\`n:int\` < 3`)).toBe(many! - one!)
      expect(await bytesToDelete(engine, 'logs', sql`\`n:int\` > 0`)).toBe(0)
      expect(await bytesToDelete(engine, 'logs', sql`\`n:int\` < 0`)).toBe(0)
    } finally {
      await evq.change('SYSTEM START MERGES datasets.logs')
    }
  })

  it('is required in addition to the reserved space', async () => {
    const { root } = await TemporaryStore.open()
    expect(() => checkSpaceToDelete(root, 1_000)).not.toThrow()
    const pebibyte = 2 ** 50
    // 2^30 MiB × 1.1 and 64 MiB.
    expect(() => checkSpaceToDelete(root, pebibyte)).toThrow(
      'The disk has too little free space. Nothing was changed: deleting events or renaming a dataset temporarily needs 1,181,116,071 MiB of free space.',
    )
  })
})
