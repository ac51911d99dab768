import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { comparable, complete, expectedOf, SAMPLES, type Sample } from '../input/log/sample.js'
import { programIn } from '../support/program-in.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const { run } = programIn(join(scratch, 'data'))

/** Samples of lines, in addition to all samples of JSON and tables. */
const LINES: readonly string[] = ['java/log4j2', 'server/haproxy', 'tools/apache-access']

const STORED = SAMPLES.filter(({ name, isStructured }) => isStructured || LINES.includes(name))

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
  const ingested = await run(['ingest', dataset, file])
  expect(ingested.status, ingested.stderr).toBe(0)
  const query = `['${dataset}'] | project-away _sysTime | order by _time asc`
  const { stdout, stderr } = await run(['query', query, '-o', 'ndjson'])
  expect(stdout, stderr).not.toBe('')
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line, (_, value) => value ?? undefined))
}
