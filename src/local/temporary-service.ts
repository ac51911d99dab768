import { type AssumedFields, arrivedBefore, inArrivalOrder } from '../engine/arrival-order.js'
import type { InputScan } from '../engine/input/input-scan.js'
import { openInputStore } from '../engine/input/input-store.js'
import { openOwnEngine, openStore, type Store } from '../engine/store.js'
import { type AppOptions, createService } from '../service/app.js'
import { NOBODY } from '../service/auth/grant.js'
import type { App } from '../service/http.js'
import { DEFAULT_LIMITS, type Limits } from '../service/limits.js'
import { requestCursor } from '../service/query/cursor.js'
import { FILE_ROWS } from '../wire/limits.js'

/** A service in this process for the events of one command. */
export type TemporaryService = Awaited<ReturnType<typeof openTemporaryService>>

export type ScannedFiles = ReturnType<TemporaryService['scanned']>

interface TemporaryServiceOptions extends Pick<AppOptions, 'report'> {
  /** An empty directory, except for the files of scans. */
  readonly directory: string
  /** Nanoseconds since 1970. */
  now(): bigint
  readonly inputs: NonNullable<AppOptions['inputs']>
  /** The fields that queries can use although no event has them yet. */
  readonly assumed: AssumedFields
}

/** The user waits for the query and can end it with Ctrl-C, and no other client needs the machine. */
const LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  rows: FILE_ROWS,
  queryTimeoutMs: 24 * 3_600_000,
}

/** Opens a service whose events are in the order of their arrival. */
export async function openTemporaryService({
  directory,
  now,
  inputs,
  assumed,
  report,
}: TemporaryServiceOptions) {
  const engine = await openOwnEngine(directory, { isTemporary: true })
  const appOf = (store: Store): App =>
    createService({
      store: inArrivalOrder(store, assumed),
      inputs,
      access: { grantOf: async () => NOBODY, renameDataset: async () => 0 },
      limits: LIMITS,
      now,
      report,
    }).app
  async function openStored() {
    const store = await openStore({ directory, now, ownEngine: engine })
    return {
      app: appOf(store),
      store,
      /** Returns the number of events of a dataset that were stored before the one with a cursor. */
      async before(dataset: string, cursor: string, signal: AbortSignal): Promise<number> {
        const { queryTimeoutMs: timeoutMs, queryMemoryBytes: memoryBytes } = LIMITS
        const seq = requestCursor(cursor)?.seq ?? 0n
        return await arrivedBefore(store, { dataset, seq }, { timeoutMs, memoryBytes, signal })
      },
    }
  }
  let stored: ReturnType<typeof openStored> | undefined
  return {
    /** Returns the store for events that are not scanned, and opens it on the first call. */
    stored() {
      stored ??= openStored()
      return stored
    },
    /** Returns a store for the events of a scan; `show` replaces the events that queries read. */
    scanned(scan: InputScan) {
      const { store, show } = openInputStore(engine, scan)
      return { app: appOf(store), show }
    },
    async close(): Promise<void> {
      await (stored === undefined ? engine.close() : (await stored).store.close())
    },
  }
}
