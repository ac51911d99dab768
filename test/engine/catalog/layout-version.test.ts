import { describe, expect, it } from 'vitest'
import { Dataset } from '../../../src/engine/catalog/dataset.js'
import { type Upgrade, upgradeLayout } from '../../../src/engine/catalog/layout-version.js'
import type { Engine } from '../../../src/engine/engine.js'
import { needsEmbedded } from '../../support/engine.js'
import { TemporaryStore } from '../temporary-store.js'

describe('the version of the layout', () => {
  it('is recorded with the first tables', async () => {
    expect(await recorded(await TemporaryStore.open())).toBe('evq layout 1')
  })

  it(
    'is read with the other tables, which are created again when one is missing',
    needsEmbedded,
    async () => {
      const evq = await TemporaryStore.open()
      await evq.change('DROP TABLE evq.batch SYNC')
      await evq.reopen()
      const { name = [] } = await evq.query(
        "SELECT name FROM system.tables WHERE database = 'evq' ORDER BY name",
      )
      expect(name).toEqual(['"batch"', '"document"', '"path"'])
    },
  )

  it('prevents an older program from reading the data', async () => {
    const evq = await storeOf('evq layout 2')
    await expect(evq.reopen()).rejects.toThrow(
      'The data was written by a newer version of evq: its layout is 2, and this version reads layouts up to 1. Update evq to open it.',
    )
  })

  it.each(['', 'layout version 1', 'layout 3'])(
    'is unknown in data of an unreleased build: %j',
    async (comment) => {
      const evq = await storeOf(comment)
      await expect(evq.reopen()).rejects.toThrow(
        "The data was written by a build of evq from before its first release, and this version can't read it. Export the events with that build (`evq page`), and start with another data directory (`--data-dir`) or another ClickHouse.",
      )
    },
  )
})

describe('an upgrade', () => {
  it('runs the steps from the version of the data to the current one, also after one failed', async () => {
    let engine: Engine | undefined
    const evq = await TemporaryStore.open((opened) => {
      engine = opened
      return opened
    })
    await evq.ingest('{"a":1}\n')
    const steps: string[] = []
    let fails = true
    const upgrades: readonly Upgrade[] = [
      async (_, datasets) => {
        steps.push(`1 to 2: ${[...datasets.keys()]}`)
      },
      async (on) => {
        if (fails) throw new Error('the process ends here')
        await on.run({ kind: 'sql', text: "ALTER TABLE datasets.logs MODIFY COMMENT 'sampled 7'" })
        steps.push('2 to 3')
      },
    ]
    const datasets = new Map([
      ['logs', new Dataset('logs', { paths: new Map(), columns: new Map() })],
    ])
    const upgrade = () => upgradeLayout(engine!, datasets, { version: 1, upgrades })
    await expect(upgrade()).rejects.toThrow('the process ends here')
    expect(await recorded(evq)).toBe('evq layout 1')
    fails = false
    await upgrade()
    expect(steps).toEqual(['1 to 2: logs', '1 to 2: logs', '2 to 3'])
    expect(await recorded(evq)).toBe('evq layout 3')
    await upgradeLayout(engine!, datasets, { version: 3, upgrades })
    expect(steps).toHaveLength(3)
  })
})

async function recorded(evq: TemporaryStore): Promise<string | undefined> {
  const { comment = [] } = await evq.query(
    "SELECT comment FROM system.tables WHERE database = 'evq' AND name = 'path'",
  )
  return JSON.parse(comment[0] ?? '""')
}

/** A store whose tables have this comment in place of their version. */
async function storeOf(comment: string): Promise<TemporaryStore> {
  const evq = await TemporaryStore.open()
  await evq.change(`ALTER TABLE evq.path MODIFY COMMENT '${comment}'`)
  return evq
}
