import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Dataset } from '../../../src/engine/catalog/dataset.js'
import { type Engine, EngineError } from '../../../src/engine/engine.js'
import { UNEXPECTED_EVENT_CODE } from '../../../src/engine/ingest/insertion.js'
import { scanLines } from '../../../src/engine/ingest/scan/scan-lines.js'
import { SlowPathBatch } from '../../../src/engine/ingest/slow-path.js'
import { sql } from '../../../src/sql/sql.js'
import { pathKey } from '../../../src/wire/json/field-path.js'
import { KIND } from '../../../src/wire/json/kinds.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()

const PART = { firstRow: 0, events: 1, arrivedAt: 0n, batchHash: 0n }

/** Rejects every insert and finds no unexpected event. */
const refuse = () => Promise.reject(new Error('not for this'))
const contradictory: Engine = {
  storedParts: sql``,
  async load() {
    throw new EngineError({ code: UNEXPECTED_EVENT_CODE, message: 'unexpected event' })
  },
  async inspect() {
    const bytes = new Map([['row', Buffer.from('[]')]])
    return {
      bytes,
      columns: new Map([['row', '[]']]),
      rows: 0,
      rowsExamined: 0,
      rowsBeforeLimit: 0,
    }
  },
  createTable: refuse,
  run: refuse,
  change: refuse,
  ask: refuse,
  read: refuse,
  stream: () => {
    throw new Error('not for this')
  },
  estimate: refuse,
  close: async () => true,
}

describe('the slow path', () => {
  it('rejects a batch that the engine refuses without naming an event', async () => {
    const path = join(scratch, 'body-1.ndjson')
    await writeFile(path, '{"n":1}\n')
    const known = { path: ['n'], kinds: KIND.int }
    const paths = new Map([[pathKey(known.path), known]])
    const dataset = new Dataset('logs', { paths, columns: new Map() })
    const batch = new SlowPathBatch({
      target: { name: 'logs', engine: contradictory, current: () => dataset, changed() {} },
      file: {
        path,
        counts: (await scanLines({ kind: 'file', path })).counts,
        sequence: { first: 0n, step: 1n },
        parts: [PART],
      },
      terms: { timestampField: '_time' },
      timeForms: new Set(),
    })
    await expect(batch.store()).rejects.toThrow('rejects events without naming a new one')
  })
})
