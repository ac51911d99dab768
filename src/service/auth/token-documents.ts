import { setTimeout as delay } from 'node:timers/promises'
import type { Document, Documents } from '../../engine/catalog/documents.js'
import { isTokenRecord, type TokenRecord, type TokenRecords } from './token-record.js'

/** The maximum time for which a revoked token remains valid on another service of the same engine. */
const LATELY_MS = 1_000

/**
 * The time between two reads for unknown tokens, which may be new: without it, anybody could cause a query with each
 * unauthenticated request. It doubles while reads find nothing new. The maximum is above the delay of a response to a request with an
 * unknown token, so that those of one client wait for the same read.
 */
const FIRST_WAIT_MS = 250
const LAST_WAIT_MS = 3_000

type Records = readonly TokenRecord[]

interface Clock {
  /** Milliseconds since any point. */
  now(): number
  wait(ms: number): Promise<unknown>
}

const CLOCK: Clock = { now: () => performance.now(), wait: (ms) => delay(ms) }

/** Token records in the engine, shared by all services in front of one cluster. */
export function tokenDocuments(documents: Documents, clock = CLOCK): TokenRecords {
  let known: { readonly at: number; readonly records: Records } | undefined
  let lookedUpAt = Number.NEGATIVE_INFINITY
  let waitMs = FIRST_WAIT_MS
  let running: Promise<Records> | undefined
  /** A read that has not started yet; callers that arrive until it starts can share its result. */
  let next: Promise<Records> | undefined

  async function readNow(): Promise<Records> {
    // Read first: a concurrent change by another service must not count as seen.
    const at = clock.now()
    const records = (await documents.list()).map(decode)
    known = { at, records }
    return records
  }

  function startRead(): Promise<Records> {
    running ??= readNow().finally(() => {
      running = undefined
    })
    return running
  }

  /** Reads the records for the callers that arrive until the read starts. */
  async function lookUp(): Promise<Records> {
    const restMs = lookedUpAt + waitMs - clock.now()
    if (restMs < -LAST_WAIT_MS) waitMs = FIRST_WAIT_MS
    if (restMs > 0) await clock.wait(restMs)
    // A read that is running may have begun before a change.
    await running?.catch(() => {})
    next = undefined
    lookedUpAt = clock.now()
    const before = new Set(known?.records.map(({ id }) => id))
    const records = await startRead()
    const isNew = records.some(({ id }) => !before.has(id))
    waitMs = isNew ? FIRST_WAIT_MS : Math.min(2 * waitMs, LAST_WAIT_MS)
    return records
  }

  return {
    async read(when) {
      if (known !== undefined && when !== 'now') {
        if (when === 'ever' || clock.now() - known.at < LATELY_MS) return known.records
        // A holder of a known token does not wait for the next lookup of unknown ones.
        return await startRead()
      }
      next ??= lookUp()
      return await next
    },
    async change(work) {
      const { add = [], remove = [] } = work(await readNow())
      for (const id of remove) await documents.remove(id)
      for (const { id, ...record } of add) {
        await documents.put({ id, body: JSON.stringify(record) })
      }
      known = undefined
      waitMs = FIRST_WAIT_MS
    },
  }
}

function decode({ id, body }: Document): TokenRecord {
  const record: unknown = { ...(JSON.parse(body) as object), id }
  if (isTokenRecord(record)) return record
  throw new Error(`the token ${id} can't be read`)
}
