import { expect, it } from 'vitest'
import { SessionPool } from '../../../src/engine/clickhouse/session-pool.js'
import { until } from '../../support/until.js'

it('passes new sessions to the first waiting caller, also after a failed attempt', async () => {
  const making: { resolve(thing: object): void; reject(error: Error): void }[] = []
  const pool = new SessionPool<object>(
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
  await until(() => making.length === 2, 'two being made')
  making[0]?.reject(new Error('no memory'))
  making[1]?.reject(new Error('no memory'))
  await Promise.all(users.slice(0, 2))
  // No session is in use: waiting callers depend on the freed slots.
  await until(() => making.length === 4, 'two more being made')
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

it('rejects each waiting caller while no session can be created', async () => {
  const pool = new SessionPool<object>(1, async () => {
    throw new Error('no memory')
  })
  const users = Array.from({ length: 5 }, () => pool.use(async () => 'used'))
  for (const user of users) await expect(user).rejects.toThrow('no memory')
})

it('rejects waiting and later callers once the pool is closed, and lets the others finish', async () => {
  const pool = new SessionPool<object>(1, async () => ({}))
  let finish = (_: string): void => {}
  let hasBegun = false
  const running = pool.use(() => {
    hasBegun = true
    return new Promise<string>((resolve) => {
      finish = resolve
    })
  })
  const waiting = pool.use(async () => 'used')
  const refused = expect(waiting).rejects.toThrow('the engine is closed')
  await until(() => hasBegun, 'the first at work')
  pool.close(new Error('the engine is closed'))
  await refused
  await expect(pool.use(async () => 'used')).rejects.toThrow('the engine is closed')
  finish('done')
  expect(await running).toBe('done')
})
