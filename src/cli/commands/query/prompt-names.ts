import type { Connection } from '../../../client/connection.js'
import { datasets } from '../../../client/datasets.js'
import { query } from '../../../client/query.js'
import type { Names } from './prompt-completion.js'

/** Someone waits with a finger on a key. */
const PATIENCE_MS = 2_000

/** Names as the service tells them, each asked for once until they are forgotten; what it does not tell is nothing. */
export function namesOver(connection: Connection): Names & { forget(): void } {
  const told = new Map<string, Promise<readonly string[]>>()
  const once = (key: string, ask: (signal: AbortSignal) => Promise<readonly string[]>) => {
    const found = told.get(key) ?? ask(AbortSignal.timeout(PATIENCE_MS)).catch(() => [])
    told.set(key, found)
    return found
  }
  return {
    datasets: () => once('', (signal) => datasets(connection, { signal })),
    fields: (dataset) => once(dataset, (signal) => fieldsOf(dataset, connection, signal)),
    forget: () => told.clear(),
  }
}

async function fieldsOf(
  dataset: string,
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const apl = `['${dataset}'] | getschema | project ColumnName`
  const { tables } = await query(connection, { apl }, { signal })
  const names = tables[0]?.columns[0] ?? []
  return names.map((cell) => String(JSON.parse(cell)))
}
