import type { Account } from './account.js'

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
