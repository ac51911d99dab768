import { setTimeout as delay } from 'node:timers/promises'
import type { Document, Documents } from '../../engine/catalog/documents.js'
import { isTokenRecord, type TokenRecord, type TokenRecords } from './token-record.js'

/** How long a revoked token may still be known to another service of the same engine. */
const LATELY_MS = 1_000

/**
 * The least time between two reads. A token that was not read lately may be new and is looked up, so that without it
 * anybody could cause a query with each request, before anything is known of them.
 */
const READ_EVERY_MS = 250

type Records = readonly TokenRecord[]

/** The records of tokens in the engine, where all services in front of one cluster share them. */
export function tokenDocuments(documents: Documents): TokenRecords {
  let known: { readonly at: number; readonly records: Records } | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let running: Promise<Records> | undefined
  /** A read that has not started: what it returns is as new as whoever asks for it by then needs. */
  let next: Promise<Records> | undefined

  async function readNow(): Promise<Records> {
    // Taken first: what another service changes meanwhile must not count as seen.
    const at = performance.now()
    startedAt = at
    const records = (await documents.list()).map(decode)
    known = { at, records }
    return records
  }

  async function readSoon(): Promise<Records> {
    await running?.catch(() => {})
    const waitMs = startedAt + READ_EVERY_MS - performance.now()
    if (waitMs > 0) await delay(waitMs)
    next = undefined
    running = readNow().finally(() => {
      running = undefined
    })
    return await running
  }

  return {
    async read(when) {
      if (when === 'lately') {
        if (known !== undefined && performance.now() - known.at < LATELY_MS) return known.records
        if (running !== undefined) return await running
      }
      next ??= readSoon()
      return await next
    },
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
