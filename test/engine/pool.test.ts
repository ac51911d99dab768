import { expect, it } from 'vitest'
import { Pool } from '../../src/engine/pool.js'

it('lends what it makes to the first that waits, also when making one failed before', async () => {
  const making: { resolve(thing: object): void; reject(error: Error): void }[] = []
  const pool = new Pool<object>(
    2,
    () => new Promise((resolve, reject) => making.push({ resolve, reject })),
  )
  const ended: string[] = []
  const users = ['first', 'second', 'third', 'fourth'].map((name) =>
    pool
      .use(async () => name)
      .then(
        () => ended.push(`${name} has used one`),
        (error: Error) => ended.push(`${name}: ${error.message}`),
      ),
  )
  making[0]?.reject(new Error('no memory'))
  making[1]?.reject(new Error('no memory'))
  await Promise.all(users.slice(0, 2))
  // Nobody has one to give back: those that wait depend on the slots that are free again.
  expect(making).toHaveLength(4)
  making[2]?.reject(new Error('no descriptors'))
  making[3]?.resolve({})
  await Promise.all(users)
  expect(ended).toEqual([
    'first: no memory',
    'second: no memory',
    'third: no descriptors',
    'fourth has used one',
  ])
})

it('hands a failure on to each that waits while nothing can be made', async () => {
  const pool = new Pool<object>(1, async () => {
    throw new Error('no memory')
  })
  const users = Array.from({ length: 5 }, () => pool.use(async () => 'used'))
  for (const user of users) await expect(user).rejects.toThrow('no memory')
})
