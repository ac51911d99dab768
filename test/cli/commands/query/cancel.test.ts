import { describe, expect, it, onTestFinished } from 'vitest'
import { evq, start } from '../../../support/evq.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { until } from '../../../support/until.js'

const directory = temporaryDirectory()
const elsewhere = temporaryDirectory()

/** Counts the pairs of pairs of events, which takes hours and little memory. */
const SLOW = [
  "['logs'] | extend k = 1",
  ...Array.from(
    { length: 2 },
    (_, n) => `join kind=inner (['logs'] | extend k = 1 | project k, n${n} = n) on k`,
  ),
  'summarize count()',
].join(' | ')

describe('Ctrl-C', () => {
  it('cancels the query at the service, over HTTP', async () => {
    const events = Array.from({ length: 20_000 }, (_, n) => `{"n":${n}}\n`).join('')
    expect(await evq(['ingest', 'logs'], { directory, stdin: events })).toMatchObject({ status: 0 })
    const flags = ['--listen', '127.0.0.1:0', '--query-timeout', '10m']
    const service = start(['serve', ...flags], { directory })
    onTestFinished(async () => void (await service.kill()))
    const [, url = ''] = await service.err.until(/(http:\S+:\d+)/)
    const [, token = ''] = await service.err.until(/(xapt-\S+)/)
    const metrics = async () => {
      const response = await fetch(`${url}/metrics`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return await response.text()
    }
    const running = async () => Number(/^evq_queries_running (\d+)$/m.exec(await metrics())?.[1])
    const env = { EVQ_URL: url, EVQ_TOKEN: token }
    const query = start(['query', SLOW], { directory: elsewhere, env })
    await until(async () => (await running()) === 1, 'the query runs')
    query.child.kill('SIGINT')
    expect(await query.ended).toEqual({
      status: null,
      signal: 'SIGINT',
      stdout: '',
      stderr: 'Query canceled.\n',
    })
    await until(async () => (await running()) === 0, 'the query has ended')
    // It was not ended by a time or memory limit. The request is counted once its response was made.
    await until(async () => {
      expect(await metrics()).toMatch(/^evq_http_requests_total\{.*status="499".*\} 1$/m)
      return true
    }, 'the canceled request is counted')
    expect(await evq(['query', "['logs'] | count"], { directory: elsewhere, env })).toMatchObject({
      status: 0,
      stdout: '{"Count":20000}\n',
    })
  })
})
