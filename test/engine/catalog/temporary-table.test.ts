import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openOwnEngine, openStore } from '../../../src/engine/store.js'
import { sql } from '../../../src/sql/sql.js'
import { needsEmbedded } from '../../support/engine.js'
import { removeDirectory } from '../../support/remove-directory.js'

const NOW = 1_767_225_600_000_000_000n

it.each([
  ['of one command are merged to at most 256 KiB', { isTemporary: true }, 262_144],
  ['of a data directory are merged to 256 MiB', {}, 268_435_456],
] as const)('the parts %s', needsEmbedded, async (_name, options, bytes) => {
  const directory = await mkdtemp(join(tmpdir(), 'evq-temporary-'))
  const engine = await openOwnEngine(directory, options)
  const store = await openStore({ directory, now: () => NOW, ownEngine: engine })
  onTestFinished(async () => {
    await store.close()
    await removeDirectory(directory)
  })
  const lines = { kind: 'bytes', bytes: Buffer.from('{"a":1}\n') } as const
  await store.ingest({ dataset: 'logs', lines, arrivedAt: NOW, timestampField: '_time' })
  const { columns } = await engine.ask(
    sql`SELECT engine_full FROM system.tables WHERE database = 'datasets' AND name = 'logs'`,
  )
  expect(String(columns.get('engine_full'))).toMatch(
    new RegExp(`\\bmax_bytes_to_merge_at_max_space_in_pool = ${bytes}\\b`),
  )
})
