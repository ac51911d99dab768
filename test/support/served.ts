import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectHttp } from '../../src/client/http.js'
import {
  type DataDirectory,
  type DataDirectoryOptions,
  openDataDirectory,
} from '../../src/local/open-directory.js'
import { socketPath } from '../../src/local/socket-path.js'
import { DEFAULT_LIMITS, type Limits } from '../../src/service/limits.js'
import { decodeError, type ErrorBody } from '../../src/wire/http/error-body.js'
import type { AplRequest } from '../../src/wire/http/query.js'
import {
  decodeTabularResult,
  EXACT_RESULT,
  type Table,
} from '../../src/wire/http/tabular-result.js'
import { testClickHouse } from './engine.js'
import { removeDirectory } from './remove-directory.js'

/** 2026-01-01T12:00:00Z: the value of `now()` in queries. */
export const SERVED_NOW = 1_767_268_800_000_000_000n

/** The service on a new directory, with HTTP over the directory's socket. */
export interface Served {
  /** The internal errors of the service by request id. */
  readonly reported: ReadonlyMap<string, unknown>
  /** Stores events, each one JSON text. */
  ingest(dataset: string, events: readonly string[]): Promise<void>
  ask(apl: string, more?: Partial<AplRequest>): Promise<Reply>
  close(): Promise<void>
}

/** The response to a query: a table, or an error. */
export type Reply =
  | { readonly status: 200; readonly table: Table; readonly rows: readonly (readonly string[])[] }
  | { readonly status: number; readonly error: ErrorBody }

export async function served(
  limits: Partial<Limits> = {},
  given?: Pick<DataDirectoryOptions, 'clickHouse'>,
): Promise<Served> {
  const directory = await mkdtemp(join(tmpdir(), 'evq-served-'))
  const reported = new Map<string, unknown>()
  const owned = await openDataDirectory({
    directory,
    now: () => SERVED_NOW,
    limits: { ...DEFAULT_LIMITS, ...limits },
    ...(given ?? (await testClickHouse())),
    report: (error, id) => reported.set(id, error),
  })
  if (owned === undefined) throw new Error(`${directory} is somebody else's`)
  return { reported, ...exchanges(owned, directory) }
}

function exchanges(owned: DataDirectory, directory: string): Omit<Served, 'reported'> {
  const connection = connectHttp({
    name: 'the service',
    url: 'http://localhost',
    socketPath: socketPath(directory),
    timeouts: { responseMs: 0, idleMs: 0 },
  })
  return {
    async ingest(dataset, events) {
      const { status, body } = await connection.send({
        method: 'POST',
        path: `/v1/ingest/${encodeURIComponent(dataset)}`,
        headers: { 'content-type': 'application/x-ndjson' },
        body: events.map((event) => `${event}\n`).join(''),
        purpose: 'ingest',
      })
      const { failed } = JSON.parse(body.toString()) as { readonly failed?: number }
      if (status !== 200 || failed !== 0) throw new Error(`${dataset}: ${body}`)
    },
    async ask(apl, more = {}) {
      const { status, body } = await connection.send({
        method: 'POST',
        path: '/v1/datasets/_apl',
        query: { format: 'tabular' },
        headers: { 'content-type': 'application/json', accept: EXACT_RESULT },
        body: JSON.stringify({ apl, ...more }),
        purpose: 'query',
      })
      const text = body.toString()
      if (status !== 200) return { status, error: decodeError(text, status) }
      const [table] = decodeTabularResult(text).tables
      if (table === undefined) throw new Error('a response without a table')
      return { status, table, rows: rowsOf(table) }
    },
    async close() {
      await connection.close()
      await owned.close()
      await removeDirectory(directory)
    },
  }
}

/** Returns the values of a table row by row, as the JSON text of the response. */
function rowsOf({ columns }: Table): readonly (readonly string[])[] {
  return (columns[0] ?? []).map((_, row) => columns.map((cells) => cells[row] ?? 'null'))
}
