import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { json, type Reply, scriptedService } from '../../../client/scripted-service.js'
import { start } from '../../../support/evq.js'
import { programIn } from '../../../support/program-in.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { until } from '../../../support/until.js'

const directory = temporaryDirectory()
const { run } = programIn(directory)
const OLD = ['{"n":1,"_time":"2020-01-01T00:00:01Z"}', '{"n":2,"_time":"2020-01-01T00:00:02Z"}']

beforeAll(async () => {
  for (const name of ['logs', 'busy', 'mixed']) await ingest(name, OLD.join('\n'))
})

async function ingest(dataset: string, stdin: string): Promise<void> {
  expect(await run(['ingest', dataset], stdin)).toMatchObject({ status: 0 })
}

function tail(...args: string[]) {
  const tail = start(['tail', '--interval', '50ms', ...args], { directory })
  onTestFinished(async () => void (await tail.kill()))
  return tail
}

function numbers(text: string): readonly number[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as { n: number }).n)
}

describe('tail', () => {
  it('ends when nothing reads its output, also without new events', async () => {
    const { out, child, ended } = tail('logs', '-n', '1')
    await out.until(/"n":2/)
    child.stdout.destroy()
    expect(await ended).toMatchObject({ status: 0, stderr: '' })
  })

  it('starts with the newest events, oldest first, and continues with new ones', async () => {
    const { out, child, ended } = tail('logs', '-n', '2')
    await out.until(/"n":2/)
    await ingest('logs', '{"n":3}\n{"n":4,"_time":"2019-01-01"}')
    await out.until(/"n":3(.|\n)*\n/)
    child.kill('SIGINT')
    const { signal, stdout, stderr } = await ended
    expect({ signal, stderr }).toEqual({ signal: 'SIGINT', stderr: '' })
    expect(numbers(stdout).slice(0, 2)).toEqual([1, 2])
    // An old event that arrives now is new.
    expect(numbers(stdout).slice(2).sort()).toEqual([3, 4])
  })

  it('starts with the events since a time and applies the query', async () => {
    const { out, child, ended } = tail(
      "['mixed'] | where n >= 2 // not the first",
      ...['--since', '2020-01-01'],
    )
    await out.until(/"n":2/)
    await ingest('mixed', '{"n":0}\n{"n":7}')
    await out.until(/"n":7.*\n/)
    child.kill('SIGTERM')
    const { signal, stdout } = await ended
    expect(signal).toBe('SIGTERM')
    expect(numbers(stdout)).toEqual([2, 7])
  })

  it('shows each event once while several clients write', async () => {
    const { out, child, ended } = tail('busy', '-n', '1')
    await out.until(/"n":2/)
    const parts = Array.from({ length: 4 }, (_, part) => part * 1_000)
    await Promise.all(
      parts.map(async (first) => {
        const lines = Array.from({ length: 1_000 }, (_, i) => `{"n":${first + i},"same":true}`)
        // Equal events also have the same time.
        const equal = '{"n":-1,"_time":"2026-01-01"}'
        await ingest('busy', [...lines, equal, equal].join('\n'))
      }),
    )
    await ingest('busy', '{"n":-2}')
    await out.until(/"n":-2.*\n/)
    await until(
      () => numbers(out.text()).length >= 4_010,
      () => `4,010 events, not ${numbers(out.text()).length}`,
    )
    child.kill('SIGINT')
    const yielded = numbers((await ended).stdout)
    expect(yielded.filter((n) => n === -1)).toHaveLength(8)
    const expected = Array.from({ length: 4_000 }, (_, n) => n)
    expect(
      yielded
        .slice(1)
        .filter((n) => n >= 0)
        .sort((a, b) => a - b),
    ).toEqual(expected)
  })

  it.each(['take 2', 'top 2 by n', 'sample 0.5'])(
    'warns that %s can omit events',
    async (limit) => {
      const { err, child, ended } = tail(`logs | ${limit}`, '-n', '1')
      await err.until(/selects among the stored events at each poll/)
      expect(err.text()).toContain(`\`${limit}\``)
      child.kill('SIGINT')
      await ended
    },
  )

  it('ends when its reader closes the pipe', async () => {
    const { out, child, ended } = tail('logs', '-n', '1')
    await out.until(/\n/)
    child.stdout?.destroy()
    await ingest('logs', '{"n":5}')
    expect(await ended).toMatchObject({ status: 0, stderr: '' })
  })

  it('shows each event once with columns that are computed from the time of the query', async () => {
    const aging = "['aging'] | extend age = now() - _time | project n, old = age > 1s, age"
    await ingest('aging', '{"n":1}')
    const { out, child, ended } = tail(aging, '-n', '5')
    await out.until(/"n":1.*\n/)
    for (const n of [2, 3, 4]) {
      await ingest('aging', `{"n":${n}}`)
      await out.until(new RegExp(`"n":${n}.*\n`))
    }
    child.kill('SIGINT')
    expect(numbers((await ended).stdout)).toEqual([1, 2, 3, 4])
  })

  it('prints only the selected columns', async () => {
    const { stdout } = await endedAfterFirstLine('logs', '-n', '1', '--columns', 'n,none')
    expect(stdout).toMatch(/^\{"n":\d\}\n$/)
  })

  it.each([
    ["['logs'] | project-away _sysTime", 'the query must keep both'],
    ["['logs'] | where n >", 'Expected a value, found the end of the query.'],
    ["['logs'] | summarize count()", '`evq query` runs queries that combine events'],
    ["['logs'] | where nn == 1", "1 | ['logs'] | where nn == 1"],
    ['lgos', 'close to `logs`'],
  ])('rejects a query that it can not follow: %s', async (what, words) => {
    const { status, stdout, stderr } = await tail(what).ended
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('arrived_')
  })
})

describe('tail of a deployment', () => {
  it('resumes where it stopped when the connection is lost', async () => {
    const texts: string[] = []
    const events = ['00', '01', '02']
    let broken = 0
    const reply: Reply = (response, request) => {
      const { apl, startTime } = JSON.parse(request.body.toString()) as Record<string, string>
      texts.push(`${startTime === undefined ? 'open' : 'bounded'} ${apl}`)
      if (apl?.includes('summarize'))
        return json(tabularResponse(['arrived_', 'happened_'], [time('00')]))(response, request)
      if (texts.length > 3 && broken++ < 2) return void response.socket?.resetAndDestroy()
      const shown = events.slice(1, texts.length > 3 ? 3 : 2)
      json(tabularResponse(['_sysTime', '_time'], shown.map(time)))(response, request)
    }
    const { url } = await scriptedService(reply)
    const env = { EVQ_URL: url }
    const followed = start(['tail', 'logs', '--interval', '50ms'], { directory, env })
    onTestFinished(async () => void (await followed.kill()))
    await followed.out.until(/:02Z.*\n/)
    followed.child.kill('SIGINT')
    const { signal, stdout, stderr } = await followed.ended
    expect(signal).toBe('SIGINT')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)._time),
    ).toEqual(['01', '02'].map(time))
    expect(stderr).toMatch(/^No response \(.*\n/)
    // A poll does not read all events of the deployment.
    expect(texts.every((text) => text.startsWith('bounded'))).toBe(true)
  })
})

async function endedAfterFirstLine(...args: string[]) {
  const { out, child, ended } = tail(...args)
  await out.until(/\n/)
  child.kill('SIGINT')
  return ended
}

function time(second: string): string {
  return `2026-01-01T00:00:${second}Z`
}

/** A tabular response with the same times in all columns. */
function tabularResponse(names: readonly string[], times: readonly string[]): object {
  const fields = names.map((name) => ({ name, type: 'datetime' }))
  const table = {
    name: '0',
    sources: [],
    fields,
    order: [],
    groups: [],
    columns: names.map(() => times),
  }
  return { format: 'tabular', status: { rowsMatched: times.length }, tables: [table] }
}
