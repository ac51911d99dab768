import { beforeAll, expect, it } from 'vitest'
import { start } from '../support/evq.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { metric } from '../support/metric.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const directory = temporaryDirectory()

/** Takes minutes: a slow condition on 300 million rows. */
const LONG = `['logs'] | extend x=range(1,1000) | mv-expand x | extend y=range(1,100) | mv-expand y
  | where strcat(tostring(x),'-',tostring(y)) matches regex '^(1|2)+-x' | count`

beforeAll(async () => {
  const stdin = Array.from({ length: 3000 }, (_, n) => `{"n":${n}}\n`).join('')
  expect(await evqInProcess(['ingest', 'logs'], { directory, stdin })).toMatchObject({ status: 0 })
})

/** Waits until a process that has the directory open runs a query. */
async function queryRuns(): Promise<void> {
  await until(async () => (await metric(directory, 'evq_queries_running')) === 1, 'the query runs')
}

it('a query that takes minutes ends with Ctrl-C', async () => {
  const query = start(['query', LONG], { directory })
  await queryRuns()
  query.child.kill('SIGINT')
  expect(await query.ended).toMatchObject({ signal: 'SIGINT', stdout: '' })
})

it('a query that takes minutes does not keep the service from ending', async () => {
  const service = start(['serve', '--listen', '127.0.0.1:0'], { directory })
  await service.err.until(/Press Ctrl-C to stop/)
  const query = start(['query', LONG], { directory })
  await queryRuns()
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 0, signal: null })
  // It has restarted.
  query.child.kill('SIGINT')
  expect(await query.ended).toMatchObject({ signal: 'SIGINT', stdout: '' })
})
