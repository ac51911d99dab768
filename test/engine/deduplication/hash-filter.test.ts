import { describe, expect, it } from 'vitest'
import { HashFilter, type HashWords } from '../../../src/engine/deduplication/hash-filter.js'
import { randomFrom } from '../../support/events.js'

function hashes(count: number, seed: number): readonly HashWords[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () => ({ low: random(2 ** 32), high: random(2 ** 32) }))
}

describe('a filter of hashes', () => {
  it('finds all hashes that were added, and one of 500 others at most', () => {
    const filter = new HashFilter()
    const added = hashes(50_000, 1)
    const others = hashes(50_000, 2)
    expect(others.some((hash) => filter.has(hash))).toBe(false)
    for (const hash of added) filter.add(hash)
    expect(added.every((hash) => filter.has(hash))).toBe(true)
    expect(others.filter((hash) => filter.has(hash)).length).toBeLessThanOrEqual(100)
  })

  it('tells whether it found a hash before it was added', () => {
    const filter = new HashFilter()
    const [one, other] = hashes(2, 3)
    expect([filter.add(one!), filter.add(one!), filter.add(other!)]).toEqual([true, false, true])
  })

  it('has hashes with bits that are all zero or all one', () => {
    const filter = new HashFilter()
    const edges = [0, 2 ** 32 - 1].flatMap((low) => [0, 2 ** 32 - 1].map((high) => ({ low, high })))
    for (const hash of edges) filter.add(hash)
    expect(edges.every((hash) => filter.has(hash))).toBe(true)
  })
})
