import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { comparable, complete, expectedOf, SAMPLES, type Sample } from '../input/log/sample.js'
import { start } from '../support/evq.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')

/** Samples of lines, in addition to all samples of JSON and tables. */
const LINES: readonly string[] = ['java/log4j2', 'server/haproxy', 'tools/apache-access']

const STORED = SAMPLES.filter(({ name, isStructured }) => isStructured || LINES.includes(name))

beforeAll(async () => {
  const service = start(['serve', '--listen', '127.0.0.1:0'], { directory })
  await service.err.until(/Press Ctrl-C to stop/)
})

describe('the events of a sample', () => {
  it.each(STORED)('of $name are stored as its program means them', async (sample) => {
    const events = await stored(sample)
    const expected = expectedOf(sample, events.length)
    const actual = events.map((fields, index) =>
      comparable({ fields, text: undefined }, expected[index] ?? { $lines: 0, ...fields }),
    )
    expect(actual).toEqual(expected.map(complete))
  })
})

/** Ingests a sample as a file and returns its events in the order of their times. */
async function stored({ name, log }: Sample): Promise<readonly Record<string, unknown>[]> {
  const dataset = name.replace(/\W/g, '-')
  const file = join(scratch, `${dataset}${/csv|tsv/.exec(name) ? `.${name.slice(-3)}` : '.log'}`)
  writeFileSync(file, log)
  const modified = new Date('2026-11-20T20:00:00Z')
  utimesSync(file, modified, modified)
  const ingested = await evqInProcess(['ingest', dataset, file], { directory })
  expect(ingested.status, ingested.stderr).toBe(0)
  const query = `['${dataset}'] | project-away _sysTime | order by _time asc`
  const { stdout, stderr } = await evqInProcess(['query', query, '-o', 'ndjson'], { directory })
  expect(stdout, stderr).not.toBe('')
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line, (_, value) => value ?? undefined))
}
