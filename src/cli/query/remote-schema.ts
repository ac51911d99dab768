import { sourcesOf } from '../../apl/language.js'
import type { Connection } from '../../client/connection.js'
import { datasets } from '../../client/datasets.js'
import { query } from '../../client/query.js'
import { quotedName } from './quoted-name.js'

/** A field with its type in APL. */
export interface KnownField {
  readonly name: string
  readonly type: string
}

export type RemoteSchema = ReturnType<typeof remoteSchema>

/** Returns the fields of the datasets that a query names, as far as the deployment has them. */
export async function fieldsOfQuery(
  text: string,
  schema: RemoteSchema,
  now: bigint,
): Promise<ReadonlyMap<string, readonly KnownField[]>> {
  const datasets = await schema.datasets()
  const named = sourcesOf(text, { now }, { datasets }).datasets
  const known = named.filter((name) => datasets.includes(name))
  const fields = known.map(async (name) => [name, await schema.fields(name)] as const)
  return new Map(await Promise.all(fields))
}

interface SchemaOptions {
  /** The time limit of a request. */
  readonly timeoutMs: number
  /** The time after which new datasets and fields are seen; by default after `forget`. */
  readonly maxAgeMs?: number
  /** Milliseconds since 1970. */
  now?(): number
}

/**
 * Returns the datasets and fields of a deployment; each part is requested once until it is too old or forgotten. The methods reject
 * when the deployment does not respond.
 */
export function remoteSchema(connection: Connection, options: SchemaOptions) {
  const { timeoutMs, maxAgeMs = Number.POSITIVE_INFINITY, now = Date.now } = options
  const cache = new Map<string, { readonly at: number; readonly value: Promise<unknown> }>()

  function cached<Value>(key: string, ask: (signal: AbortSignal) => Promise<Value>) {
    const found = cache.get(key)
    if (found !== undefined && now() - found.at < maxAgeMs) return found.value as Promise<Value>
    const value = ask(AbortSignal.timeout(timeoutMs))
    cache.set(key, { at: now(), value })
    // Failures are not cached.
    value.catch(() => cache.delete(key))
    return value
  }

  return {
    cached,
    forget: () => cache.clear(),
    datasets: () => cached('', (signal) => datasets(connection, { signal })),
    fields: (dataset: string): Promise<readonly KnownField[]> =>
      cached(`fields of ${dataset}`, async (signal) => {
        const apl = `${quotedName(dataset)} | getschema | project ColumnName, ColumnType`
        const { tables } = await query(connection, { apl }, { signal })
        const [names = [], types = []] = tables[0]?.columns ?? []
        return names.map((name, i) => ({
          name: String(JSON.parse(name)),
          type: String(JSON.parse(types[i] ?? '"dynamic"')),
        }))
      }),
  }
}
