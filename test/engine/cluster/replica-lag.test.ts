import { expect, it } from 'vitest'
import type { RemoteEngine } from '../../../src/engine/clickhouse/remote.js'
import { ReplicaLag } from '../../../src/engine/cluster/replica-lag.js'

const LAGS =
  'The ClickHouse server `http://one` lags more than 5 s behind other replicas: queries do not read it.'
const CAUGHT_UP = 'The ClickHouse server `http://one` no longer lags behind other replicas.'
/** The delay of a table whose replica has not compared it with others yet, in seconds. */
const NEW_TABLE = 1_795_000_000

const WAITS =
  'The ClickHouse server `http://one` has had no response from Keeper for more than 5 s: queries prefer other replicas of its shard.'

/** The warnings, and the lags that are known, after a server has returned these delays; by default changes are waiting to be applied. */
async function after(delays: readonly number[], unapplied = delays) {
  const warnings: string[] = []
  const lag = new ReplicaLag((message) => warnings.push(message))
  const known: (number | undefined)[] = []
  let next = 0
  const engine = {
    ask: async () => ({
      columns: new Map([
        ['seconds', `[${delays[next]}]`],
        ['unapplied', `[${unapplied[next++]}]`],
      ]),
    }),
  } as unknown as RemoteEngine
  const server = { url: 'http://one', engine }
  for (const _ of delays) {
    await lag.measure(server)
    known.push(lag.of(server))
  }
  return { warnings, known }
}

it('a new table is not reported as a lag', async () => {
  expect(await after([0, NEW_TABLE, 1, NEW_TABLE, 0])).toEqual({
    warnings: [],
    known: [0, 0, 1, 1, 0],
  })
})

it('a lag is reported once, and its end', async () => {
  expect(await after([0, 6, 8, 10, 5, 6, 7])).toEqual({
    warnings: [LAGS, CAUGHT_UP, LAGS],
    known: [0, 0, 8, 10, 5, 5, 7],
  })
})

it('a server that has applied all it read waits for Keeper', async () => {
  expect(await after([0, 6, 8], [0, 0, 0])).toEqual({
    warnings: [WAITS],
    known: [0, 0, 8],
  })
  expect(await after([6, 8, 10], [0, 0, 6])).toMatchObject({ warnings: [WAITS] })
  expect(await after([6, 8, 0], [0, 0, 0])).toEqual({
    warnings: [WAITS, CAUGHT_UP],
    known: [undefined, 8, 0],
  })
})
