import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Computation, Computations } from '../../../../src/cli/commands/view/computations.js'
import { modelOf } from '../../../support/view-model.js'

const { query } = modelOf({}).state

/** Computations that each take so many milliseconds, and the times at which they began. */
function computing(ms: number, files = { isFollowing: false }) {
  const begun: (readonly [at: number, what: number | string])[] = []
  const start = performance.now()
  const run = async (request: Computation) => {
    const what = request.kind === 'counts' ? request.ticks : request.kind
    begun.push([performance.now() - start, what])
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
  return { begun, computations: new Computations(run, () => files.isFollowing) }
}

const counts = (ticks: number, generation = 0): Computation => ({
  kind: 'counts',
  generation,
  query,
  ticks,
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

it('repeats a computation of 10 ms after 40 ms, with the latest request', async () => {
  const { begun, computations } = computing(10)
  for (const ticks of [0, 1, 2]) computations.request(counts(ticks))
  expect(begun).toEqual([[0, 0]])
  await vi.advanceTimersByTimeAsync(20)
  computations.request(counts(3))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(begun).toEqual([
    [0, 0],
    [50, 3],
  ])
  computations.request(counts(4))
  expect(begun.at(-1)).toEqual([1_020, 4])
})

it('repeats a short computation once a second while files are followed', async () => {
  const { begun, computations } = computing(10, { isFollowing: true })
  for (let ticks = 0; ticks < 12; ticks++) {
    computations.request(counts(ticks))
    await vi.advanceTimersByTimeAsync(200)
  }
  expect(begun).toEqual([
    [0, 0],
    [1_000, 4],
    [2_000, 9],
  ])
})

it('runs a computation at once when files were read to their ends', () => {
  const files = { isFollowing: false }
  const { begun, computations } = computing(10_000, files)
  computations.request(counts(0))
  files.isFollowing = true
  computations.request(counts(1))
  expect(begun).toEqual([
    [0, 0],
    [0, 1],
  ])
})

it('runs a computation of another query, another kind or another field at once', () => {
  const { begun, computations } = computing(10_000)
  const facet = { kind: 'facet', generation: 1, query } as const
  computations.request(counts(0))
  computations.request(counts(1, 1))
  computations.request({ ...facet, field: 'level' })
  computations.request({ ...facet, field: 'host' })
  expect(begun).toEqual([
    [0, 0],
    [0, 1],
    [0, 'facet'],
    [0, 'facet'],
  ])
})

it('does not repeat a computation of an earlier query, nor anything once it is closed', async () => {
  const { begun, computations } = computing(10)
  computations.request(counts(0))
  computations.request(counts(1))
  computations.request(counts(2, 1))
  computations.request(counts(3, 1))
  await vi.advanceTimersByTimeAsync(20)
  computations.close()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(begun).toEqual([
    [0, 0],
    [0, 2],
  ])
})
