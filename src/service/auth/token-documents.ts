import { setTimeout as sleep } from 'node:timers/promises'
import type { Document, Documents } from '../../engine/catalog/documents.js'
import { sharedWhileRunning, startedAfterCall } from '../../text/shared-work.js'
import { isTokenRecord, type TokenRecord, type TokenRecords } from './token-record.js'

/** The maximum time for which a revoked token remains valid on another service of the same engine. */
const LATELY_MS = 1_000

/**
 * The minimum time between two reads for unknown tokens, which may be new: without it, every unauthenticated request would cause a
 * query. The time doubles while reads find no new token. Its maximum is longer than the delay of a response to a request with an
 * unknown token, so that several such requests of one client wait for the same read.
 */
const FIRST_WAIT_MS = 250
const LAST_WAIT_MS = 3_000

type Records = readonly TokenRecord[]

interface Clock {
  /** Milliseconds since any point. */
  now(): number
  wait(ms: number): Promise<unknown>
}

const CLOCK: Clock = { now: () => performance.now(), wait: (ms) => sleep(ms) }

/** Token records in the engine, shared by all services in front of one cluster. */
export function tokenDocuments(documents: Documents, clock = CLOCK): TokenRecords {
  let known: { readonly at: number; readonly records: Records } | undefined
  let lookedUpAt = Number.NEGATIVE_INFINITY
  let waitMs = FIRST_WAIT_MS

  async function readNow(): Promise<Records> {
    // The time before the read: the result may lack a change that another service makes during the read.
    const at = clock.now()
    const records = (await documents.list()).map(decode)
    known = { at, records }
    return records
  }

  const refresh = sharedWhileRunning(readNow)

  /** Reads the records for unknown tokens, once the next such read is allowed. */
  const lookUp = startedAfterCall(
    async () => {
      lookedUpAt = clock.now()
      const before = new Set(known?.records.map(({ id }) => id))
      const records = await readNow()
      const isNew = records.some(({ id }) => !before.has(id))
      waitMs = isNew ? FIRST_WAIT_MS : Math.min(2 * waitMs, LAST_WAIT_MS)
      return records
    },
    async () => {
      const restMs = lookedUpAt + waitMs - clock.now()
      if (restMs < -LAST_WAIT_MS) waitMs = FIRST_WAIT_MS
      if (restMs > 0) await clock.wait(restMs)
    },
  )

  return {
    async read(when) {
      if (known !== undefined && when !== 'now') {
        if (when === 'ever' || clock.now() - known.at < LATELY_MS) return known.records
        // A request with a known token does not wait for the next lookup of unknown tokens.
        return await refresh()
      }
      return await lookUp()
    },
    async change(work) {
      const { add = [], remove = [] } = work(await readNow())
      // A record that is replaced is never absent, even if a step fails.
      await documents.put(...add.map(({ id, ...record }) => ({ id, body: JSON.stringify(record) })))
      const added = new Set(add.map(({ id }) => id))
      for (const id of remove) if (!added.has(id)) await documents.remove(id)
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
