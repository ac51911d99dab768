import { expect, it } from 'vitest'
import { BufferPool, SpareBuffers } from '../../src/input/buffer-pool.js'

const SIZE = 4 * 1024 * 1024

it('reuses the first buffers of inputs, and a limited number of them', () => {
  const pool = new BufferPool(SIZE)
  const first = pool.takeFirst()
  pool.give(first)
  expect(pool.takeFirst()).toBe(first)
  const many = Array.from({ length: 1000 }, () => pool.takeFirst())
  for (const buffer of many) pool.give(buffer)
  const again = many.map(() => pool.takeFirst())
  expect(again.filter((buffer) => many.includes(buffer)).length).toBeLessThan(20)
})

it('has buffers of its size for all others', () => {
  const pool = new BufferPool(SIZE)
  pool.give(pool.takeFirst())
  const buffer = pool.take()
  expect(buffer.length).toBe(SIZE)
  pool.give(buffer)
  expect(pool.take()).toBe(buffer)
})

it('has one kind of buffer when all are small', () => {
  const pool = new BufferPool(1000)
  const first = pool.takeFirst()
  expect(first.length).toBe(1000)
  pool.give(first)
  expect(pool.take()).toBe(first)
})

it('keeps spare buffers only if they can be moved to a thread', () => {
  const spare = new SpareBuffers()
  const own = spare.take(100)
  // Node takes small buffers from memory that they share.
  spare.give(Buffer.allocUnsafe(100))
  expect(spare.take(50).buffer.byteLength).toBe(50)
  spare.give(own)
  expect(spare.take(50)).toBe(own)
})
