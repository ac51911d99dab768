import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../support/ingest-run.js'
import { roughService } from '../support/rough-service.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()

/** Sends a file with `--source-fields` and returns its events. */
async function sent(name: string, content: string): Promise<readonly unknown[]> {
  const service = await roughService()
  const path = join(scratch, name)
  writeFileSync(path, content)
  await runToEnd({ url: service.url, files: [path], args: { 'source-fields': '' } })
  return service.events.map((event) => JSON.parse(event))
}

describe('--source-fields', () => {
  const place = (name: string, line: number | undefined, offset: number) => ({
    _file: join(scratch, name),
    ...(line !== undefined && { _line: line }),
    _offset: offset,
  })

  it('adds the place of each event to NDJSON, and leaves the rest unchanged', async () => {
    expect(await sent('ä.ndjson', '{"n":1}\n \n{}\n{"x":"own"}\n')).toEqual([
      { ...place('ä.ndjson', 1, 0), n: 1 },
      place('ä.ndjson', 3, 10),
      { ...place('ä.ndjson', 4, 13), x: 'own' },
    ])
  })

  it('adds it to arrays, rows and lines of logs', async () => {
    expect(await sent('a.json', '[{"n":1},\n{"n":2}]')).toEqual([
      { ...place('a.json', undefined, 1), n: 1 },
      { ...place('a.json', undefined, 10), n: 2 },
    ])
    expect(await sent('a.csv', 'a,b\n1,"x\ny"\n2,z\n')).toEqual([
      { ...place('a.csv', 2, 4), a: 1, b: 'x\ny' },
      { ...place('a.csv', 4, 12), a: 2, b: 'z' },
    ])
    const log = '2026-02-03T04:05:06Z ERROR a\n\tat b\n2026-02-03T04:05:07Z c\n'
    expect(await sent('a.log', log)).toMatchObject([
      { ...place('a.log', 1, 0), message: 'a\n\tat b' },
      { ...place('a.log', 3, 35), message: 'c' },
    ])
  })
})
