import { expect, it } from 'vitest'
import type { Document, Documents } from '../../../src/engine/catalog/documents.js'
import type { Engine, EngineResult } from '../../../src/engine/engine.js'
import type { StoredDamage } from '../../../src/engine/maintenance/damage.js'
import { ServerDamage } from '../../../src/engine/maintenance/server-damage.js'
import { sql } from '../../../src/sql/sql.js'

type Row = Readonly<Record<string, string | number>>

function resultOf(rows: readonly Row[], names: readonly string[]) {
  const columns = names.map((name) => [name, JSON.stringify(rows.map((row) => row[name]))] as const)
  return { columns: new Map(columns), rows: rows.length } as unknown as EngineResult
}

const BROKEN = ['database', 'table', 'name', 'path']
const LOST = ['shard', 'database', 'table', 'path', 'losses']

/** A part of a dataset that its server could not load. */
function brokenPart(table: string): Row {
  const path = `/store/${table}/detached/broken_all_1_1_0`
  return { database: 'datasets', table, name: 'broken_all_1_1_0', path }
}

/** Servers whose tables have missing parts, and a gate at which checks wait that have read of them. */
function servers() {
  const documents: Document[] = []
  const state = {
    broken: [] as readonly Row[],
    lost: [] as readonly Row[],
    /** Called by each check once it has read the missing parts and the accepted losses. */
    gate: async () => {},
    /** Called before the documents of an accepted loss are stored. */
    beforePut: async () => {},
  }
  const engine = {
    detachedParts: sql`detached_parts`,
    storedParts: sql`stored_parts`,
    lostParts: { noticed: sql`noticed`, counted: sql`counted` },
    async ask({ text }: { readonly text: string }) {
      if (text === 'noticed') return resultOf([{ losses: state.lost.length }], ['losses'])
      const found = text === 'counted' ? resultOf(state.lost, LOST) : resultOf(state.broken, BROKEN)
      if (text === 'counted') await state.gate()
      return text.includes('FROM stored_parts') ? resultOf([], BROKEN) : found
    },
  } as unknown as Engine
  const accepted: Documents = {
    get: async () => undefined,
    remove: async () => {},
    async list() {
      const before = [...documents]
      await state.gate()
      return before
    },
    async put(...all) {
      await state.beforePut()
      documents.push(...all)
    },
  }
  return { state, open: () => ServerDamage.open(engine, accepted) }
}

/** Begins a check. Resolves, once it has read what it waits for, with a function that lets it end. */
async function beginCheck(
  damage: StoredDamage,
  { state }: ReturnType<typeof servers>,
): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => {
    state.gate = () => {
      resolve()
      return released
    }
  })
  damage.suspect('logs')
  await reached
  state.gate = async () => {}
  return async () => {
    release()
    // It waits for the check.
    await damage.close()
  }
}

const datasets = (damage: StoredDamage) => damage.list.map(({ dataset }) => dataset)

it('an accepted loss is not found again by a check that began before', async () => {
  const own = servers()
  own.state.broken = [brokenPart('logs')]
  const damage = await own.open()
  expect(datasets(damage)).toEqual(['logs'])
  let end = async () => {}
  own.state.beforePut = async () => {
    end = await beginCheck(damage, own)
  }
  const { parts } = await damage.accept('logs')
  expect(parts).toHaveLength(1)
  await end()
  expect(damage.list).toEqual([])
})

it('a dataset that is deleted or renamed during a check does not get what the check read before', async () => {
  const own = servers()
  own.state.broken = ['deleted', 'former'].map(brokenPart)
  const damage = await own.open()
  own.state.broken = ['deleted', 'former', 'other'].map(brokenPart)
  const end = await beginCheck(damage, own)
  damage.deleted('deleted')
  damage.renamed('former', 'latter')
  expect(datasets(damage)).toEqual(['latter'])
  await end()
  expect(datasets(damage)).toEqual(['latter', 'other'])
})

it('losses of all replicas are counted again after a dataset was renamed during their count', async () => {
  const own = servers()
  const lostIn = (table: string) => [
    { shard: '1', database: 'datasets', table, path: '/tables/1', losses: 1 },
  ]
  const damage = await own.open()
  own.state.lost = lostIn('former')
  const end = await beginCheck(damage, own)
  damage.renamed('former', 'latter')
  own.state.lost = lostIn('latter')
  await end()
  const endNext = await beginCheck(damage, own)
  await endNext()
  expect(datasets(damage)).toEqual(['latter'])
})
