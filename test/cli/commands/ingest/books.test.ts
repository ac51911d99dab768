import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { evqInProcess } from '../../../support/evq-in-process.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const scratch = temporaryDirectory()

it('reports and keeps the events that the local service rejects, and sends them again with --retry', async () => {
  const directory = mkdtempSync(join(scratch, 'data-'))
  const input = join(scratch, 'app.ndjson')
  const rejects = join(scratch, 'rejects.ndjson')
  const receipt = join(scratch, 'receipt.json')
  writeFileSync(
    input,
    '{"n":1,"at":"2026-01-31"}\n{bad\n\n{"n":9007199254740993,"at":"2026-01-32"}\n{"n":4,"at":1769817600}\n',
  )
  const args = ['--timestamp-field', 'at', '--rejects', rejects, '--receipt', receipt]
  const first = await evqInProcess(['ingest', 'logs', input, '-i', 'ndjson', ...args], {
    directory,
    stdin: '',
  })
  expect(first.status).toBe(3)
  expect(first.stderr).toContain(`${input}:2: `)
  expect(first.stderr).toContain(`${input}:4: `)
  const kept = readFileSync(rejects, 'utf8').trimEnd().split('\n')
  expect(kept.map((line) => JSON.parse(line))).toMatchObject([
    { file: input, line: 2, offset: 26, event: '{bad' },
    { file: input, line: 4, offset: 32, event: '{"n":9007199254740993,"at":"2026-01-32"}' },
  ])
  expect(JSON.parse(readFileSync(receipt, 'utf8'))).toMatchObject({
    files: [{ read: 4, accepted: 2, rejected: 2, firstTime: '2026-01-31T00:00:00Z' }],
    complete: true,
  })

  // With the time of arrival instead of a day that there is not, the event is fine.
  const second = await evqInProcess(['ingest', 'logs', '--retry', rejects], {
    directory,
    stdin: '',
  })
  expect(second.status).toBe(3)
  expect(second.stderr).toMatch(/logs: 1 event stored, 1 rejected/)
  expect(JSON.parse(readFileSync(rejects, 'utf8'))).toMatchObject({ line: 2, event: '{bad' })
  const found = await evqInProcess(['query', "['logs'] | project n | sort by n asc"], { directory })
  expect(found.stdout).toBe('{"n":1}\n{"n":4}\n{"n":9007199254740993}\n')
})
