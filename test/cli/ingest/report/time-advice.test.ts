import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evq } from '../../../support/evq.js'
import { runToEnd } from '../../../support/ingest-run.js'
import { roughService } from '../../../support/rough-service.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const scratch = temporaryDirectory()

describe('events without a time', () => {
  it.each([
    ['{"last_ts":"2026-01-01T00:00:00Z","n":1}\n', 'last_ts'],
    ['{"n":1,"meta":{"created_at":1767225600}}\n', 'meta.created_at'],
    ['[{"readTime":"2026-01-01T00:00:00Z"}]', 'readTime'],
    ['id,orderedAt\n1,2026-01-01 10:00:00\n', 'orderedAt'],
    ['at=info read_time=2026-01-01T00:00:00Z n=1\n', 'read_time'],
  ])('are told of where another field seems to hold it: %j', async (text, field) => {
    const { err, exitCode } = await ingest(text)
    expect(err).toContain('the first events have no `_time`')
    expect(err).toContain(`To use \`${field}\`: \`--timestamp-field ${field}\`.`)
    expect(exitCode).toBe(0)
  })

  it.each([
    ['{"timestamp":"01/02/2026 10:00","x":1}\n', 'timestamp'],
    ['n,date\n1,03/01/2024\n2,05/01/2024\n', 'date'],
    ['{"Time":"in the 3rd week"}\n', 'Time'],
  ])('are told of a time in a layout that is not known: %j', async (text, field) => {
    const { err, exitCode } = await ingest(text)
    expect(err).toContain(
      `the first events have no \`_time\`. Events without one get the time of arrival. To use \`${field}\`: \`--timestamp-field ${field}\`, with its layout in \`--timestamp-format\`.`,
    )
    expect(exitCode).toBe(0)
  })

  it('are reported in an array that is only sampled', async () => {
    const event = (second: number) => `{"read_at":"2026-01-01T00:00:0${second}Z","text":"[1]"}`
    const events = Array.from({ length: 1000 }, (_, i) => event(i % 10))
    const { err } = await ingest(`[${events.join(',')}]`)
    expect(err).toContain('To use `read_at`: `--timestamp-field read_at`.')
  })

  it.each([
    '{"_time":"2026-01-01T00:00:00Z","ts":"2026-01-01T00:00:01Z"}\n',
    '{"n":1,"level":"info"}\n',
    '{"load_timestamp":1445680800424,"n":1}\n{"load_timestamp":1445680800424,"n":2}\n',
    '{"response_time":12,"cpu_time":0.5,"start_time":"soon"}\n',
    '{"ts":\n',
  ])('are what was meant where nothing seems to: %j', async (text) => {
    const { err } = await ingest(text)
    expect(err).not.toContain('first events')
  })

  it('are reported when the named field is missing', async () => {
    const text = 'id,ordered_at\n1,2026-01-01 10:00:00\n'
    const misspelt = await ingest(text, { 'timestamp-field': 'orderd_at' })
    expect(misspelt.err).toContain(
      'the first events have no `orderd_at`. Events without one get the time of arrival. Did you mean `ordered_at`?',
    )
    const right = await ingest(text, { 'timestamp-field': 'ordered_at' })
    expect(right.err).not.toContain('first events')
    const label = await ingest(text, { 'timestamp-field': 'day', label: 'day=2026-01-01' })
    expect(label.err).not.toContain('first events')
    const lines = '2026-01-01 10:00:00,123 INFO [main] a.B - done\n'.repeat(3)
    const field = await ingest(lines, { 'timestamp-field': 'lvel' })
    expect(field.err).toContain(
      'the first events have no `lvel`. Events without one get the time of arrival. Did you mean `level`?',
    )
    expect((await ingest(lines)).err).not.toContain('first events')
  })

  it('are reported when the named field holds small numbers', async () => {
    const text = '{"status":200,"at":1767225600}\n{"status":500,"at":1767225601}\n'
    const small = await ingest(text, { 'timestamp-field': 'status' })
    expect(small.err).toContain(
      '`status` puts the first events into January 1970, the first one at 1970-01-01T00:03:20Z.',
    )
    const milliseconds = { 'timestamp-field': 'status', 'timestamp-format': 'unixms' }
    expect((await ingest(text, milliseconds)).err).toContain(
      'the first one at 1970-01-01T00:00:00.2Z.',
    )
    const right = await ingest(text, { 'timestamp-field': 'at' })
    expect(right.err).not.toContain('1970')
  })

  it('are reported once for many files and batches', async () => {
    const text = Array.from({ length: 2000 }, (_, n) => `{"read_at":${1767225600 + n}}\n`).join('')
    const { url } = await roughService()
    const files = [file(text), file(text)]
    const { err } = await runToEnd({ url, files, args: { 'batch-size': '100' } })
    expect(err.match(/first events/g)).toHaveLength(1)
  })
})

describe('`--timestamp-format` without `--timestamp-field`', () => {
  it.each([
    ['{"due":"01/02/2026","n":1}\n{"n":2}\n', {}],
    ['due,n\n01/02/2026,1\n', {}],
    ['081109 203615 148 INFO dfs.DataNode\n', { 'input-format': 'text' }],
  ])('is refused where the events have no `_time`: %j', async (text, args) => {
    const { exitCode, err } = await ingest(text, { ...args, 'timestamp-format': '02/01/2006' })
    expect(exitCode).toBe(2)
    expect(err).toMatch(
      /^evq: .*: `--timestamp-format` has no effect, because the first events have no `_time`\. `--timestamp-field` names the field that it applies to\.\n$/m,
    )
    expect(err).not.toContain('stored')
  })

  it.each([
    ['{"_time":"01/02/2026","n":1}\n', {}],
    ['01/02/2026,1\n', { 'csv-fields': '_time,n', 'input-format': 'csv' }],
    ['{"n":1}\n', { label: '_time=01/02/2026' }],
  ])('is the format of `_time`: %j', async (text, args) => {
    const { exitCode, err } = await ingest(text, { ...args, 'timestamp-format': '02/01/2006' })
    expect([exitCode, err]).toEqual([0, err])
  })
})

describe('`--timestamp-format`', () => {
  it('is checked by the local service before anything is sent', async () => {
    const args = ['ingest', 'logs', file('{"_time":"1"}'), '--timestamp-format', '%Y-%m-%d']
    const { stderr, status } = await evq(args, { directory: join(scratch, 'data') })
    expect(stderr).toContain('evq: `--timestamp-format` is "%Y-%m-%d", which has no year.')
    expect(status).toBe(2)
  })

  it('may be a format that only another service knows', async () => {
    const { exitCode } = await ingest('{"_time":"1"}\n', { 'timestamp-format': '%Y-%m-%d' })
    expect(exitCode).toBe(0)
  })
})

async function ingest(stdin: string, args: Readonly<Record<string, string>> = {}) {
  const { url } = await roughService()
  return runToEnd({ url, stdin, args })
}

function file(text: string): string {
  const path = join(mkdtempSync(join(scratch, 'file-')), 'events')
  writeFileSync(path, text)
  return path
}
