import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { ChdbSession } from '../../../src/engine/clickhouse/chdb.js'
import { RunningStatements } from '../../../src/engine/clickhouse/running-statements.js'

it('a killed statement counts as ended when its session can be used again', async () => {
  let kills = 0
  let fail: (error: Error) => void = () => {}
  const session: ChdbSession = {
    // The output of a failed statement is dropped slowly, as when all processors are busy.
    queryAsync: (statement) =>
      statement === 'SELECT sleep(100)'
        ? new Promise((_resolve, reject) => {
            fail = reject
          })
        : sleep(200, { bytes: () => Buffer.alloc(0) }),
    queryStream: () => {
      throw new Error('no statement is streamed')
    },
    close: () => {},
  }
  const admin: ChdbSession = {
    ...session,
    queryAsync: async () => {
      kills++
      fail(new Error('Code: 394. DB::Exception: Query was cancelled'))
      return { bytes: () => Buffer.alloc(0) }
    },
  }
  const warnings: string[] = []
  const statements = new RunningStatements(admin, (message) => warnings.push(message))
  const output = statements.send(session, 'SELECT sleep(100)', 'evq-1')
  const killed = statements.kill('evq-1')
  await expect(output).rejects.toMatchObject({ code: 394 })
  expect(await killed).toBe(true)
  expect(statements.isBusy).toBe(false)
  expect(warnings).toEqual([])
  // 200 ms with delays of 25, 50, 100 and 200 ms.
  expect(kills).toBeLessThan(6)
})
