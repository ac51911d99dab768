import { type AssumedFields, inArrivalOrder } from '../engine/arrival-order.js'
import { openStore, type Store } from '../engine/store.js'
import { type AppOptions, createApp } from '../service/app.js'
import { NOBODY } from '../service/auth/grant.js'
import type { App } from '../service/http.js'
import { DEFAULT_LIMITS, type Limits } from '../service/limits.js'

/** A service in this process for the data of one command. */
export interface TemporaryService {
  readonly app: App
  readonly store: Store
}

interface TemporaryServiceOptions extends Pick<AppOptions, 'report'> {
  /** An empty directory. */
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
  rows: 10_000_000,
  queryTimeoutMs: 24 * 3_600_000,
}

/** Opens a service whose events are in the order of their arrival. Closing the store ends it. */
export async function openTemporaryService({
  directory,
  now,
  inputs,
  assumed,
  report,
}: TemporaryServiceOptions): Promise<TemporaryService> {
  const store = await openStore({ directory, now })
  const app = createApp({
    store: inArrivalOrder(store, assumed),
    inputs,
    access: { grantOf: async () => NOBODY, renameDataset: async () => 0 },
    limits: LIMITS,
    now,
    ...(report && { report }),
  })
  return { app, store }
}
