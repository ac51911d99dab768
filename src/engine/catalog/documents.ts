import { list, type Sql, sql, text } from '../../sql/sql.js'
import type { Engine } from '../engine.js'
import { rowsIn } from '../response.js'
import { DURABLE, DURABLE_MERGES } from './database.js'

/** A small JSON document of the service. */
export interface Document {
  readonly id: string
  readonly body: string
}

/** The documents of one kind, such as saved queries or tokens. They are few. */
export interface Documents {
  get(id: string): Promise<Document | undefined>
  /** Returns all documents, sorted by id. */
  list(): Promise<readonly Document[]>
  /** Stores documents, each in place of any document with the same id; resolves when they are durable. */
  put(...documents: readonly Document[]): Promise<void>
  remove(id: string): Promise<void>
}

/** Creates the table of documents unless it exists. */
export async function createDocuments(engine: Engine): Promise<void> {
  await engine.createTable({
    name: 'document',
    columns: sql`
      kind LowCardinality(String), id String, body String CODEC(ZSTD(1)), removed Bool, version UInt64`,
    engine: { family: 'ReplacingMergeTree', parameters: sql`version` },
    clauses: sql`ORDER BY (kind, id) SETTINGS ${DURABLE}, ${DURABLE_MERGES}`,
  })
}

/** Returns the documents of a kind. Each call reads the engine: changes by other services are visible immediately. */
export function documents(engine: Engine, kind: string): Documents {
  const ofKind = sql`kind = ${text(kind)}`

  async function select(condition: Sql): Promise<readonly Document[]> {
    await engine.synchronize?.(['document'])
    const result = await engine.ask(sql`
      SELECT id, body FROM evq.document FINAL WHERE ${condition} AND NOT removed ORDER BY id`)
    return rowsIn(result, 'id', 'body')
  }

  async function write(written: readonly Document[], removed: Sql): Promise<void> {
    await engine.synchronize?.(['document'])
    const ids = written.map(({ id }) => text(id))
    const rows = written.map(({ id, body }) => sql`(${text(id)}, ${text(body)})`)
    // The clock may jump back: a version is always greater than the previous one.
    await engine.run(sql`
      INSERT INTO evq.document (kind, id, body, removed, version)
      SELECT ${text(kind)}, row.1, row.2, ${removed}, version
      FROM (
        SELECT greatest(max(version) + 1, toUInt64(toUnixTimestamp64Nano(now64(9)))) AS version
        FROM evq.document WHERE ${ofKind} AND id IN (${list(ids)})
      ) ARRAY JOIN [${list(rows)}] AS row`)
  }

  return {
    get: async (id) => (await select(sql`${ofKind} AND id = ${text(id)}`))[0],
    list: () => select(ofKind),
    put: async (...all) => {
      if (all.length > 0) await write(all, sql`false`)
    },
    remove: (id) => write([{ id, body: '' }], sql`true`),
  }
}
