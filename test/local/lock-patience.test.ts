import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockPatience } from '../../src/local/file-lock.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

it('ends for a process that holds the directory, and begins again for the next one', async () => {
  const directory = temporaryDirectory()
  const hold = (id: number): void => writeFileSync(join(directory, 'lock'), `${id}`)
  hold(1)
  const isLate = lockPatience(directory, 30)
  expect(isLate()).toBe(false)
  await until(isLate, 'the first process holds the directory for too long')
  hold(2)
  expect(isLate()).toBe(false)
  await until(isLate, 'the second process holds the directory for too long')
})
