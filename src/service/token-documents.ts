import type { Document, Documents } from '../engine/documents.js'
import { isTokenRecord, type TokenRecord, type TokenRecords } from './token-record.js'

/** How long a revoked token may still be known to another service of the same engine. */
const LATELY_MS = 1_000

/** The records of tokens in the engine, where all services in front of one cluster share them. */
export function tokenDocuments(documents: Documents): TokenRecords {
  let known: { readonly at: number; readonly records: readonly TokenRecord[] } | undefined

  async function readNow(): Promise<readonly TokenRecord[]> {
    // Taken first: what another service changes meanwhile must not count as seen.
    const at = performance.now()
    const records = (await documents.list()).map(decode)
    known = { at, records }
    return records
  }

  return {
    read: async (when) =>
      when === 'lately' && known !== undefined && performance.now() - known.at < LATELY_MS
        ? known.records
        : readNow(),
    async change(work) {
      const { add, remove = [] } = work(await readNow())
      for (const id of remove) await documents.remove(id)
      if (add !== undefined) {
        const { id, ...record } = add
        await documents.put({ id, body: JSON.stringify(record) })
      }
      known = undefined
    },
  }
}

function decode({ id, body }: Document): TokenRecord {
  const record: unknown = { ...(JSON.parse(body) as object), id }
  if (isTokenRecord(record)) return record
  throw new Error(`the token ${id} can't be read`)
}
