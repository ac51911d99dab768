import { expect, it } from 'vitest'
import { until } from './until.js'

it('returns the first truthy value of a condition', async () => {
  const values = [0, '', null, undefined, false, 'ready', 'too late']
  expect(await until(() => values.shift(), 'a value')).toBe('ready')
  expect(values).toEqual(['too late'])
})

it('waits for a condition that is asynchronous', async () => {
  let checks = 0
  expect(await until(async () => ++checks === 3 && { checks }, 'three checks')).toEqual({
    checks: 3,
  })
})

it('checks once even without time', async () => {
  expect(await until(() => 'ready', 'a value', 0)).toBe('ready')
  await expect(until(() => false, 'a value', 0)).rejects.toThrow(/false/)
})

it('fails with the last value', async () => {
  let events = 0
  await expect(until(() => events++ < 0 || null, 'an event is stored', 50)).rejects.toThrow(
    'Not within 50 ms: an event is stored. Last state seen: null',
  )
  expect(events).toBeGreaterThan(1)
})

it('fails with details of the moment', async () => {
  const lines: string[] = []
  const enough = () => lines.push('line') > 1_000
  const failure = until(enough, () => `1000 lines (${lines.length > 1})`, 50)
  await expect(failure).rejects.toThrow('Not within 50 ms: 1000 lines (true). Last state')
})

it('fails with the last error of a condition that throws, and as its cause', async () => {
  const error = new Error('connection refused')
  const failure = until(() => Promise.reject(error), 'the service responds', 50)
  await expect(failure).rejects.toThrow(
    'Not within 50 ms: the service responds. Last state seen: Error: connection refused',
  )
  await expect(failure).rejects.toMatchObject({ cause: error })
})

it('checks again after an error', async () => {
  let checks = 0
  const condition = () => {
    if (++checks < 3) expect(checks).toBe(3)
    return checks
  }
  expect(await until(condition, 'three checks')).toBe(3)
})

it('does not wait longer for a check that never settles', async () => {
  const states = [false, new Promise<boolean>(() => {})]
  await expect(until(() => states.shift()!, 'a response', 50)).rejects.toThrow(
    'Not within 50 ms: a response. Last state seen: false, and a check is still pending',
  )
  await expect(until(() => new Promise(() => {}), 'a response', 50)).rejects.toThrow(
    'Last state seen: none, and a check is still pending',
  )
})
