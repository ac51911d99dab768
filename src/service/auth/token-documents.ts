import { setTimeout as delay } from 'node:timers/promises'
import type { Document, Documents } from '../../engine/catalog/documents.js'
import { isTokenRecord, type TokenRecord, type TokenRecords } from './token-record.js'

/** The maximum time for which a revoked token remains valid on another service of the same engine. */
const LATELY_MS = 1_000

/**
 * The minimum time between two reads. An unknown token may be new and causes a lookup; without this limit, anybody
 * could cause a query with each unauthenticated request.
 */
const READ_EVERY_MS = 250

type Records = readonly TokenRecord[]

/** Token records in the engine, shared by all services in front of one cluster. */
export function tokenDocuments(documents: Documents): TokenRecords {
  let known: { readonly at: number; readonly records: Records } | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let running: Promise<Records> | undefined
  /** A read that has not started yet; callers that arrive until it starts can share its result. */
  let next: Promise<Records> | undefined

  async function readNow(): Promise<Records> {
    // Read first: a concurrent change by another service must not count as seen.
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
      const { add = [], remove = [] } = work(await readNow())
      for (const id of remove) await documents.remove(id)
      for (const { id, ...record } of add) {
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
