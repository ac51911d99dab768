import type { Batch, InputEnd, UnsendableEvent } from '../../../../input/batch.js'

/** Some of a batch's events, by their places in it. */
export interface Stretch {
  /** From 0. */
  readonly first: number
  readonly events: number
}

/** Events that were not stored, or are not known to be, and why. */
export interface Shortfall {
  /** Where they are: a single place, or the stretch they are somewhere in when the service does not tell. */
  readonly among: Stretch
  readonly events: number
  readonly field?: string
  readonly reason: string
  /** The service's name for the exchange, to be quoted. */
  readonly requestId?: string
}

/** What became of a batch with all its parts: each event is counted once. */
export interface Outcome {
  readonly batch: Batch
  readonly batchId: string
  readonly accepted: number
  /** Refused by the service for what they are. */
  readonly rejected: readonly Shortfall[]
  /** Surely not stored, though nothing is wrong with them: sent again, they may be. */
  readonly unsent: readonly Shortfall[]
  /** Stored or not: the answer was lost, or leaves them out. */
  readonly unconfirmed: readonly Shortfall[]
  /** How often something of it was sent again. */
  readonly retries: number
}

/** What an earlier run of the same command has settled of an input, so that it is not read again. */
export interface Restored {
  readonly input: string
  readonly accepted: number
  readonly rejected: number
  readonly bytes: number
}

/** What keeps books of a run: the summary, the rejects file, the receipt, the checkpoint. */
export interface Account {
  /** Told before the first batch of the input. */
  restored?(restored: Restored): Promise<void>
  /**
   * A batch is about to be sent under an id; it goes out when this resolves. Parts of it, when it has to
   * be split, are not told: their ids follow from its own and from the events in them.
   */
  sending?(batch: Batch, batchId: string): Promise<void>
  /** A batch has come to its end, perhaps without being sent; its bytes may be looked at until this resolves. */
  settled?(outcome: Outcome): Promise<void>
  /** An event that can't be sent at all. */
  unsendable?(event: UnsendableEvent): Promise<void>
  /** Batches of the input may still be under way. */
  ended?(end: InputEnd): Promise<void>
  /** Finishes what it writes: everything that was read is settled. */
  close?(): Promise<void>
}

/** How many events the shortfalls or stretches speak of. */
export function eventsIn(several: readonly { readonly events: number }[]): number {
  return several.reduce((sum, { events }) => sum + events, 0)
}

/** Several accounts as one: each is told in turn, in the order they were given. */
export function together(accounts: readonly Account[]): Required<Account> {
  async function each(tell: (account: Account) => Promise<void> | undefined): Promise<void> {
    for (const account of accounts) await tell(account)
  }
  return {
    restored: (restored) => each((account) => account.restored?.(restored)),
    sending: (batch, batchId) => each((account) => account.sending?.(batch, batchId)),
    settled: (outcome) => each((account) => account.settled?.(outcome)),
    unsendable: (event) => each((account) => account.unsendable?.(event)),
    ended: (end) => each((account) => account.ended?.(end)),
    async close() {
      // One that can't write to its end must not keep the others from it.
      const closed = await Promise.allSettled(accounts.map((account) => account.close?.()))
      for (const one of closed) if (one.status === 'rejected') throw one.reason
    },
  }
}
