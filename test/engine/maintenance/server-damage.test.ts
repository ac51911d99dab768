import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Document, Documents } from '../../../src/engine/catalog/documents.js'
import type { Engine, EngineResult } from '../../../src/engine/engine.js'
import { ServerDamage } from '../../../src/engine/maintenance/server-damage.js'
import { sql } from '../../../src/sql/sql.js'

function resultOf(rows: readonly Readonly<Record<string, string>>[], names: readonly string[]) {
  const columns = names.map((name) => [name, JSON.stringify(rows.map((row) => row[name]))] as const)
  return { columns: new Map(columns), rows: rows.length } as unknown as EngineResult
}

const BROKEN = ['shard', 'database', 'table', 'name', 'path']
const PART = {
  ...{ shard: '1', database: 'datasets', table: 'logs' },
  ...{ name: 'broken_all_1_1_0', path: '/store/logs/detached/broken_all_1_1_0' },
}

it('an accepted loss is not found again by a check that began before', async () => {
  const saved: Document[] = []
  let damage: ServerDamage | undefined
  let isLate = false
  const engine = {
    detachedParts: sql`detached_parts`,
    storedParts: sql`stored_parts`,
    async ask({ text }: { readonly text: string }) {
      if (text.includes('FROM detached_parts')) return resultOf([PART], BROKEN)
      // The check ends after the document is stored.
      if (isLate) await sleep(100)
      return resultOf([], BROKEN)
    },
  } as unknown as Engine
  let listed = () => {}
  const documents: Documents = {
    get: async () => undefined,
    remove: async () => {},
    async list() {
      const before = [...saved]
      listed()
      return before
    },
    async put(...all) {
      isLate = true
      const isListed = new Promise<void>((resolve) => {
        listed = resolve
      })
      damage?.suspect()
      await isListed
      saved.push(...all)
    },
  }
  damage = await ServerDamage.open(engine, documents)
  expect(damage.list).toHaveLength(1)
  const { parts } = await damage.accept('logs')
  expect(parts).toHaveLength(1)
  await damage.close()
  expect(damage.list).toEqual([])
})
