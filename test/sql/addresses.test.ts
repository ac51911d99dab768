import { BlockList } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// Network functions, compared with those of Node.

const number = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.integer({ min: 0, max: 0xffff }).map((low) => 0xc0a80000 + low),
)
const dots = (n: number) => [24, 16, 8, 0].map((by) => Math.floor(n / 2 ** by) % 256).join('.')
const row = fc.record({
  a: number,
  b: number,
  bits: fc.integer({ min: 0, max: 32 }),
  six: fc.ipV6(),
  other: fc.ipV6(),
  most: fc.integer({ min: 0, max: 128 }),
})
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never
const rows: readonly Row[] = [
  ...fc.sample(row, { numRuns: 150, seed: 6 }),
  // Neighbors, which differ in a bit near the prefix.
  ...fc.sample(row, { numRuns: 150, seed: 7 }).map((each) => ({
    ...each,
    b: (each.a ^ (1 << (each.bits % 32))) >>> 0,
    other: each.six,
  })),
]

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  const events = rows.map((each, i) =>
    JSON.stringify({
      _time: '2026-01-01T00:00:00Z',
      i,
      ...each,
      ip: dots(each.a),
      to: dots(each.b),
    }),
  )
  const dataset = await layOut(engine, { table: 'networks', events, hot: true })
  world = { engine, datasets: new Map([['networks', dataset]]), now: 0n }
})

afterAll(() => world.engine.close())

function isIn(address: string, network: string, bits: number): boolean {
  const family = network.includes(':') ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  list.addSubnet(network, bits, family)
  return list.check(address, family)
}

function isListed(address: string, range: string): boolean {
  const [network = '', bits] = range.split('/')
  return isIn(address, network, Number(bits))
}

const masked = (n: number, bits: number) => Math.floor(n / 2 ** (32 - bits)) * 2 ** (32 - bits)

const FUNCTIONS: Readonly<Record<string, (row: Row) => boolean | number | string>> = {
  'parse_ipv4(ip)': ({ a }) => a,
  'format_ipv4(a)': ({ a }) => dots(a),
  'parse_ipv4_mask(ip, bits)': ({ a, bits }) => masked(a, bits),
  'format_ipv4_mask(ip, bits)': ({ a, bits }) => `${dots(masked(a, bits))}/${bits}`,
  'ipv4_compare(ip, to)': ({ a, b }) => Math.sign(a - b),
  'ipv4_netmask_suffix(strcat(ip, "/", bits))': ({ bits }) => bits,
  'ipv4_is_in_range(ip, strcat(to, "/", bits))': ({ a, b, bits }) => isIn(dots(a), dots(b), bits),
  'ipv4_is_match(ip, to, bits)': ({ a, b, bits }) => isIn(dots(a), dots(b), bits),
  'ipv4_is_in_any_range(ip, pack_array("1.2.3.4", strcat(to, "/", bits)))': ({ a, b, bits }) =>
    a === 0x01020304 || isIn(dots(a), dots(b), bits),
  'ipv4_is_in_any_range(ip, dynamic(["192.168.0.0/18", "128.0.0.0/3", "1.2.3.4"]))': ({ a }) =>
    ['192.168.0.0/18', '128.0.0.0/3', '1.2.3.4/32'].some((range) => isListed(dots(a), range)),
  'ipv6_is_in_any_range(six, dynamic(["8000::/2", "::/3"]))': ({ six }) =>
    ['8000::/2', '::/3'].some((range) => isListed(six, range)),
  'ipv4_is_private(ip)': ({ a }) =>
    isIn(dots(a), '10.0.0.0', 8) ||
    isIn(dots(a), '172.16.0.0', 12) ||
    isIn(dots(a), '192.168.0.0', 16),
  'ipv6_is_in_range(six, strcat(other, "/", most))': ({ six, other, most }) =>
    isIn(six, other, most),
  'ipv6_is_in_range(ip, strcat(to, "/", bits))': ({ a, b, bits }) => isIn(dots(a), dots(b), bits),
  'has_ipv4(strcat("<", ip, ">"), to)': ({ a, b }) => a === b,
  'has_ipv4(strcat("a", ip, " ", ip, "b"), ip)': () => false,
  'has_any_ipv4(strcat(to, " ", ip, "."), strcat(to, "/", bits))': () => true,
  'has_any_ipv4(ip, strcat(to, "/", bits))': ({ a, b, bits }) => isIn(dots(a), dots(b), bits),
}

it.each(Object.entries(FUNCTIONS))('%s', async (call, expected) => {
  const { rows: found } = await ask(world, `networks | sort by i asc | project ${call}`)
  expect(found.map(([cell]) => JSON.parse(cell!))).toEqual(rows.map(expected))
})

it('is null for an invalid range in a literal only when no other range matches', async () => {
  const ranges = 'dynamic(["10.0.0.0/8", "x", "11.0.0.0/40"])'
  const calls = ['"10.1.1.1"', '"12.1.1.1"', '"x"'].map(
    (ip) => `ipv4_is_in_any_range(${ip}, ${ranges})`,
  )
  const { rows: found } = await ask(
    world,
    `print ${calls}, ipv4_is_in_any_range("10.1.1.1", dynamic([]))`,
  )
  expect(found).toEqual([['true', 'null', 'null', 'false']])
})
