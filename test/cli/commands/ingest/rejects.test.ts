import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRejectsFile } from '../../../../src/cli/ingest/rejects/rejects-file.js'
import { json, scriptedService, stored } from '../../../client/scripted-service.js'
import { runToEnd } from '../../../support/ingest-run.js'
import { type RoughOptions, roughService } from '../../../support/rough-service.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { until } from '../../../support/until.js'

const scratch = temporaryDirectory()
const isBad = (event: string) => event.includes('bad')

describe('the rejects file', () => {
  it('has each rejected event as written, with its position and the reason', async () => {
    const path = file('app.ndjson', '{"n":1}\n\n{"n":2.0,"bad":"é\\u00e9"}\r\n{"n":3}\n{bad\n')
    const { rejects, exitCode } = await refused({ isBad }, [path])
    expect(rejects).toEqual([
      { file: path, line: 3, offset: 9, reason: 'it is bad', event: '{"n":2.0,"bad":"é\\u00e9"}' },
      { file: path, line: 5, offset: 45, reason: 'it is bad', event: '{bad' },
    ])
    expect(exitCode).toBe(3)
  })

  it('has elements of arrays, and CSV rows with their header', async () => {
    const list = file('list.json', '[{"n":1},\n {"bad":\n[2]} ]')
    const rows = file('rows.csv', 'a,b\n1,"x\ny"\nbad,"z\n"\n')
    const { rejects } = await refused({ isBad, refuses: 'whole, by index' }, [list, rows])
    expect(rejects).toEqual([
      { file: list, offset: 11, reason: 'it is bad', event: '{"bad": [2]}' },
      {
        file: rows,
        line: 4,
        offset: 12,
        reason: 'it is bad',
        header: 'a,b',
        event: 'bad,"z\n"',
      },
    ])
  })

  it('has the header of CSV from --csv-fields', async () => {
    const rows = file('bare.csv', '1;2\nbad;3\n')
    const { rejects } = await refused({ isBad }, [rows], { 'csv-fields': 'a,b', delimiter: ';' })
    expect(rejects).toMatchObject([
      { line: 2, offset: 4, header: 'a;b', delimiter: ';', event: 'bad;3' },
    ])
  })

  it('has log lines as JSON', async () => {
    const path = file('app.log', 'level=info n=1\nlevel=bad n=2\n')
    const { rejects } = await refused({ isBad }, [path], { 'input-format': 'logfmt' })
    expect(rejects).toMatchObject([{ line: 2, event: '{"level":"bad","n":2}' }])
  })

  it('has a count instead of events when the service does not say which ones failed', async () => {
    const path = file('some.ndjson', '{"n":1}\nbad\n{"n":3}\n')
    const { rejects } = await refused({ isBad, refuses: 'each, without place' }, [path])
    expect(rejects).toEqual([
      { file: path, line: 1, offset: 0, reason: 'it is bad', events: 1, among: 3 },
    ])
  })

  it('has events that are not UTF-8 in base64', async () => {
    const event = Buffer.concat([Buffer.from('{bad '), Buffer.from([0xff, 0xfe])])
    const path = file('bytes.ndjson', event)
    const { rejects } = await refused({ isBad }, [path])
    expect(rejects).toMatchObject([{ eventBase64: event.toString('base64') }])
  })

  it('has the events that were not sent, after its previous content', async () => {
    const path = file('unsent.ndjson', '{"n":1}\n{"n":2}\n')
    const target = join(scratch, 'kept.ndjson')
    writeFileSync(target, '{"before":true}\n')
    const { url } = await scriptedService(json({ code: 404, message: 'No such dataset.' }, 404))
    const { exitCode } = await runToEnd({ url, files: [path], args: { rejects: target } })
    expect(readRejects(target)).toEqual([
      { before: true },
      { file: path, line: 1, offset: 0, reason: 'No such dataset.', event: '{"n":1}' },
      { file: path, line: 2, offset: 8, reason: 'No such dataset.', event: '{"n":2}' },
    ])
    expect(exitCode).toBe(1)
  })

  it('starts a new line after a truncated record', async () => {
    const target = file('torn.ndjson', '{"file":"a","rea')
    const service = await roughService({ isBad })
    await runToEnd({ url: service.url, stdin: '{"bad":1}\n', args: { rejects: target } })
    expect(readFileSync(target, 'utf8')).toBe(
      '{"file":"a","rea\n{"file":"standard input","line":1,"offset":0,"reason":"it is bad","event":"{\\"bad\\":1}"}\n',
    )
  })

  it('has the id of the request that rejected an event', async () => {
    const { url } = await scriptedService(
      json({ message: 'No.' }, 400, { 'x-service-trace-id': 'trace-7' }),
    )
    const target = join(scratch, 'named.ndjson')
    await runToEnd({ url, stdin: '{"n":1}\n', args: { rejects: target } })
    expect(readRejects(target)).toMatchObject([{ file: 'standard input', requestId: 'trace-7' }])
  })

  it('has the id of the request that rejected an event of a split batch', async () => {
    let requests = 0
    const { url } = await scriptedService((response, request) => {
      requests += 1
      const events = request.body.toString().trim().split('\n')
      const failures = events.flatMap((event, index) =>
        isBad(event) ? [{ index, error: `it is bad, says ${requests}` }] : [],
      )
      if (failures.length === 0) return stored(response, request)
      const headers = { 'x-service-trace-id': `trace-${requests}` }
      json({ message: `No, says ${requests}.`, failures }, 400, headers)(response, request)
    })
    const target = join(scratch, 'split.ndjson')
    const events = Array.from(
      { length: 40 },
      (_, n) => `{"n":${n}${n % 9 === 4 ? ',"bad":1' : ''}}`,
    )
    await runToEnd({ url, stdin: events.join('\n'), args: { rejects: target } })
    const found = readRejects(target) as { event: string; reason: string; requestId: string }[]
    expect(found.map(({ event }) => event)).toEqual(events.filter(isBad))
    for (const { reason, requestId } of found) {
      expect(requestId).toBe(`trace-${/\d+/.exec(reason)?.[0]}`)
    }
  })

  it('is checked for writability before anything is sent', async () => {
    const service = await roughService()
    const target = join(scratch, 'no', 'such')
    const { exitCode, err } = await runToEnd({
      url: service.url,
      stdin: '{"n":1}\n',
      args: { rejects: target },
    })
    expect(err).toBe(`evq: \`${target}\` can't be written: no such file or directory.\n`)
    expect(exitCode).toBe(1)
    expect(service.requests).toBe(0)
  })

  it('must not be an input file', async () => {
    const path = file('both.ndjson', '{"n":1}\n')
    const { exitCode } = await runToEnd({ url: 'http://x', files: [path], args: { rejects: path } })
    expect(exitCode).toBe(2)
    expect(readFileSync(path, 'utf8')).toBe('{"n":1}\n')
  })

  it('is not waited for after a signal if it is a pipe without a reader', async () => {
    const pipe = join(scratch, 'pipe')
    execFileSync('mkfifo', [pipe])
    const before = process.listenerCount('SIGTERM')
    const opening = openRejectsFile(pipe)
    await until(() => process.listenerCount('SIGTERM') > before, 'the pipe is opened')
    process.emit('SIGTERM')
    await (await opening).close?.()
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})

async function refused(
  options: RoughOptions,
  files: readonly string[],
  args: Readonly<Record<string, string>> = {},
) {
  const service = await roughService(options)
  const target = join(scratch, `${Math.random()}.ndjson`)
  const ended = await runToEnd({ url: service.url, files, args: { ...args, rejects: target } })
  return { ...ended, rejects: readRejects(target) }
}

function readRejects(path: string): readonly unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

function file(name: string, content: string | Buffer): string {
  const path = join(scratch, name)
  writeFileSync(path, content)
  return path
}
