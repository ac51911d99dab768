import { describe, expect, it } from 'vitest'
import { checkAgreement, checkMacros } from '../../../src/engine/cluster/topology.js'

const server = (url: string, number: number, shard: string, replica: string) => ({
  url,
  number,
  shard,
  replica,
})

describe('the macros of a cluster', () => {
  it('are accepted when shards share theirs and replicas differ', () => {
    checkMacros([
      server('a', 0, '1', 'r1'),
      server('b', 0, '1', 'r2'),
      server('c', 1, '2', 'r3'),
      server('d', 1, '2', 'r4'),
    ])
  })

  it.each([
    [
      'two replicas of one name',
      [server('a', 0, '1', 'r1'), server('b', 1, '2', 'r1')],
      'The servers `a` and `b` have the same macro `replica`, `r1`. Give each server of the cluster a different `replica`.',
    ],
    [
      'two names of one shard',
      [server('a', 0, '1', 'r1'), server('b', 0, '2', 'r2')],
      'The servers `a` and `b` are replicas of one shard and have different macros `shard`: `1` and `2`. Make them equal.',
    ],
    [
      'one name of two shards',
      [server('a', 0, '1', 'r1'), server('b', 1, '1', 'r2')],
      'The servers `a` and `b` are in different shards and have the same macro `shard`, `1`. Give each shard a different `shard`.',
    ],
  ])('are rejected with %s', (_, macros, message) => {
    expect(() => checkMacros(macros)).toThrow(message)
  })
})

it('servers must have the same shards in their configurations', () => {
  const topology = (shards: readonly (readonly string[])[]) => ({ shards, hosts: shards.flat() })
  const one = {
    url: 'a',
    topology: topology([
      ['a', 'b'],
      ['c', 'd'],
    ]),
  }
  checkAgreement('duo', one, { ...one, url: 'b' })
  expect(() =>
    checkAgreement('duo', one, { url: 'c', topology: topology([['a', 'b'], ['c']]) }),
  ).toThrow(
    'The cluster `duo` differs in the configurations of `a` and `c` (servers by shard: 2 + 2 and 2 + 1). Make `remote_servers` identical on all servers.',
  )
  expect(() =>
    checkAgreement('duo', one, { url: 'c', topology: topology([['a'], ['b', 'c', 'd']]) }),
  ).toThrow(
    'The cluster `duo` differs in the configurations of `a` and `c` (servers by shard: 2 + 2 and 1 + 3).',
  )
})
