import { sql, text } from '../../sql/sql.js'
import type { Engine } from '../engine.js'
import { rowsIn } from '../response.js'
import { StoreError } from '../store-error.js'
import { METADATA } from './database.js'
import type { Dataset } from './dataset.js'
import { LAYOUT, layoutComment, layoutIn } from './table-comments.js'

/** Changes the tables from one version of the layout to the next. After a crash it runs again on tables that it has changed. */
export type Upgrade = (engine: Engine, datasets: Map<string, Dataset>) => Promise<void>

/** The upgrade from each version to the next: the first one is from version 1 to 2. */
const UPGRADES: readonly Upgrade[] = []

export async function serviceTables(engine: Engine): Promise<ReadonlyMap<string, string>> {
  const result = await engine.ask(
    sql`SELECT name, comment FROM system.tables WHERE database = ${text(METADATA)}`,
  )
  return new Map(rowsIn(result, 'name', 'comment').map(({ name, comment }) => [name, comment]))
}

/** Returns the version of the layout of the stored data, given the tables of the service. Throws a `StoreError` when this program can't read it. */
export function layoutOf(tables: ReadonlyMap<string, string>): number {
  const found = layoutIn(tables.get('path') ?? '')
  if (found !== undefined && found <= LAYOUT) return found
  throw new StoreError('failed', found === undefined ? UNRELEASED : newer(found))
}

const UNRELEASED =
  "The data was written by a build of evq from before its first release, and this version can't read it. Export the events with that build (`evq page`), and start with another data directory (`--data-dir`) or another ClickHouse."

function newer(found: number): string {
  return `The data was written by a newer version of evq: its layout is ${found}, and this version reads layouts up to ${LAYOUT}. Update evq to open it.`
}

/** Upgrades data of an earlier layout. The version is written last; after a crash, all of it is repeated. */
export async function upgradeLayout(
  engine: Engine,
  datasets: Map<string, Dataset>,
  { version, upgrades = UPGRADES }: { version: number; upgrades?: readonly Upgrade[] },
): Promise<void> {
  const missing = upgrades.slice(version - 1)
  if (missing.length === 0) return
  for (const upgrade of missing) await upgrade(engine, datasets)
  await engine.run(sql`ALTER TABLE evq.path MODIFY COMMENT ${layoutComment(upgrades.length + 1)}`)
}
