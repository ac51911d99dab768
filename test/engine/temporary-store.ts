import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type Batch, openStore, type Store, type Stored } from '../../src/engine/store.js'
import { raw } from '../../src/sql/sql.js'

/** 2026-01-01T00:00:00Z, when every test's events arrive unless it says otherwise. */
export const ARRIVED = 1_767_225_600_000_000_000n

export const limits = { timeoutMs: 30_000, memoryBytes: 2_000_000_000 }

/** A store in a directory of its own, with a few words to write tests in. */
export class TemporaryStore {
  directory: string
  readonly root: string
  store: Store
  private files = 0

  private constructor(directory: string, store: Store) {
    this.root = directory
    this.directory = directory
    this.store = store
  }

  /** Opens a new one; the one before is closed, since a process can have one directory open. */
  static async open(): Promise<TemporaryStore> {
    await closeAll()
    const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
    const store = await openStore({ directory, now: () => ARRIVED })
    const temporary = new TemporaryStore(directory, store)
    opened.push(temporary)
    return temporary
  }

  async reopen(): Promise<void> {
    await this.store.close()
    this.store = await openStore({ directory: this.directory, now: () => ARRIVED })
  }

  async spoolFile(text: string | Buffer): Promise<string> {
    const file = join(this.store.spool, `body-${this.files++}.ndjson`)
    await writeFile(file, text)
    return file
  }

  async ingest(text: string | Buffer, options: Partial<Batch> = {}): Promise<Stored> {
    const file = await this.spoolFile(text)
    return await this.store.ingest({
      dataset: 'logs',
      file,
      arrivedAt: ARRIVED,
      timestampField: '_time',
      ...options,
    })
  }

  /** The value of each column of a query, as JSON that keeps big numbers: a text for each value. */
  async query(statement: string): Promise<Record<string, readonly string[]>> {
    const { columns } = await this.store.read(raw(statement), limits)
    return Object.fromEntries([...columns].map(([name, json]) => [name, cells(json)]))
  }

  /** The values of one expression over all events of `logs` in the order of arrival. */
  async values(expression: string, dataset = 'logs'): Promise<readonly string[]> {
    const { v = [] } = await this.query(
      `SELECT ${expression} AS v FROM \`${dataset}\` ORDER BY _seq`,
    )
    return v
  }

  async count(dataset = 'logs'): Promise<number> {
    return Number((await this.query(`SELECT count() AS n FROM \`${dataset}\``)).n?.[0])
  }

  /** A field's type, its type in results, and its column. */
  field(name: string, dataset = 'logs'): string | undefined {
    const field = this.store.layout(dataset)?.fields.find((one) => one.name === name)
    return field && [field.type, field.wireType || '?', field.column ?? 'no column'].join(' · ')
  }
}

/** The texts of a JSON array's values, flat ones only. */
function cells(json: string): readonly string[] {
  return json.match(/"(?:[^"\\]|\\.)*"|[^\s,[\]]+/g) ?? []
}

const opened: TemporaryStore[] = []

afterEach(closeAll)

async function closeAll(): Promise<void> {
  for (const { store, root } of opened.splice(0)) {
    await store.close()
    await rm(root, { recursive: true, force: true })
  }
}

/** One JSON object a line. */
export function ndjson(events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}
