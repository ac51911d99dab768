import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { cannedService } from '../../support/canned-service.js'
import { evqInProcess } from '../../support/evq-in-process.js'
import { type FakeIoOptions, fakeIo } from '../../support/fake-io.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()
const RECORD = {
  dataset: 'logs',
  kind: 'apl',
  metadata: { team: 'search' },
  name: 'Errors',
  query: { apl: "['logs'] | where status >= 500", startTime: 'now-1h' },
  who: 'team',
}

describe('evq starred on the local service', () => {
  const directory = join(scratch, 'data')
  const starred = (args: readonly string[], stdin?: string) =>
    evqInProcess(['starred', ...args], { directory, stdin: stdin ?? '' })

  it('saves, changes, runs and deletes a query', async () => {
    await evqInProcess(['ingest', 'logs', '-q'], {
      directory,
      stdin: '{"status":500}\n{"status":200}\n',
    })
    const created = await starred(['create', '-f', '-'], JSON.stringify(RECORD))
    expect(created.status).toBe(0)
    const { id } = JSON.parse(created.stdout)
    expect(JSON.parse(created.stdout)).toEqual({ id, ...RECORD })

    const updated = await starred([
      'update',
      id,
      '--name',
      'Slow',
      '--meta',
      'team=',
      '--since',
      '2d',
    ])
    expect(updated.status).toBe(0)
    expect(JSON.parse(updated.stdout)).toEqual({
      id,
      ...RECORD,
      name: 'Slow',
      metadata: {},
      query: { ...RECORD.query, startTime: 'now-2d' },
    })
    expect(updated.stderr.trim().split('\n')).toEqual([
      '+ metadata: {}',
      '- metadata.team: search',
      '- name: Errors',
      '+ name: Slow',
      '- query.startTime: now-1h',
      '+ query.startTime: now-2d',
      'Slow: updated',
    ])

    const run = await starred(['run', id, '-o', 'csv', '--columns', 'status', '-q'])
    expect(run).toMatchObject({ status: 0, stdout: 'status\n500\n' })

    const wrong = await starred(['update', id, '--apl', "['logs'] | where statu > 1"])
    expect(wrong).toMatchObject({ status: 2, stdout: '' })
    expect(wrong.stderr).toContain('error[unknown-field]')

    expect((await starred(['list'])).stdout).toBe(
      `${JSON.stringify({ id, name: 'Slow', dataset: 'logs', who: 'team', apl: RECORD.query.apl })}\n`,
    )
    expect(JSON.parse((await starred(['delete', id])).stdout).name).toBe('Slow')
    expect(await starred(['get', id])).toMatchObject({ status: 1, stdout: '' })
    const unknown = await starred(['run', id])
    expect(unknown.status).toBe(1)
    expect(unknown.stderr).toContain(`No saved query has the id or the name \`${id}\``)
  })
})

describe('evq starred on a deployment', async () => {
  const service = await cannedService()

  async function starred(args: readonly string[], options: FakeIoOptions = {}) {
    service.received.length = 0
    const io = fakeIo({ ...options, env: { EVQ_URL: service.url, XDG_CONFIG_HOME: scratch } })
    const exitCode = await main(['starred', ...args], io)
    return { exitCode, out: io.out(), err: io.err() }
  }

  const methods = () => service.received.map(({ method }) => method)

  it('sends a complete record when a single member changes', async () => {
    service.respondWith({ body: { id: 'q1', createdBy: 'me', ...RECORD } })
    const { exitCode } = await starred(['update', 'q1', '--name', 'Slow'])
    expect(exitCode).toBe(0)
    expect(methods()).toEqual(['GET', 'PUT'])
    expect(service.received[1]?.url).toBe('/v2/apl-starred-queries/q1')
    expect(JSON.parse(service.received[1]?.body ?? '')).toEqual({ ...RECORD, name: 'Slow' })
  })

  it('rounds no number of a record', async () => {
    const query = `{"apl":"['logs']","defaultLimit":9007199254740993,"variables":{"n":[-9007199254740993]}}`
    const rest = `"metadata":{},"name":"Long","query":${query},"who":"team"}`
    service.respondWith({ body: `{"id":"q1","kind":"apl",${rest}` })
    const changed = await starred(['update', 'q1', '--dataset', 'logs'])
    expect(service.received[1]?.body).toBe(
      `{"kind":"apl",${rest.replace(/}$/, ',"dataset":"logs"}')}`,
    )
    expect(changed).toMatchObject({ exitCode: 0, out: `{"id":"q1","kind":"apl",${rest}\n` })

    const replaced = await starred(['update', 'q1', '-f', '-'], {
      stdin: `{"kind":"apl",${rest.replace('993}', '995}').replace('993,', '995,')}`,
    })
    expect(service.received[1]?.body).toContain('"defaultLimit":9007199254740995')
    expect(replaced.err).toContain(
      '- query.defaultLimit: 9007199254740993\n+ query.defaultLimit: 9007199254740995\n',
    )
  })

  it('sends nothing with --dry-run', async () => {
    service.respondWith({ body: { id: 'q1', ...RECORD } })
    const { exitCode, out, err } = await starred(['update', 'q1', '--who', 'all', '--dry-run'])
    expect(exitCode).toBe(0)
    expect(methods()).toEqual(['GET'])
    expect(JSON.parse(out)).toEqual({ ...RECORD, who: 'all' })
    expect(err).toBe('- who: team\n+ who: all\nNothing was sent.\n')
  })

  it('sends a complete record when the current one can’t be read', async () => {
    service.respondWith({ status: 405, body: { code: 405, message: 'no' } })
    const { exitCode, err } = await starred(['update', 'q1'], { stdin: JSON.stringify(RECORD) })
    expect(methods()).toEqual(['GET', 'PUT'])
    expect(exitCode).toBe(1)
    expect(err).toContain("The current record can't be read (405)")
  })

  it('changes single members only of a record that can be read', async () => {
    service.respondWith({ status: 404, body: { code: 404, message: 'not found' } })
    const { exitCode, err } = await starred(['update', 'q1', '--name', 'x'])
    expect(exitCode).toBe(1)
    // The record by its id, and the list, for a record of that name.
    expect(methods()).toEqual(['GET', 'GET'])
    expect(err).toContain('`evq starred list` prints the ids; `-f` sends a complete record.')
  })

  it('reads a record with a byte order mark', async () => {
    service.respondWith({ body: { id: 'q1', ...RECORD } })
    const file = join(scratch, 'mark.json')
    writeFileSync(file, `\ufeff${JSON.stringify({ ...RECORD, name: 'Slow' })}\r\n`)
    expect((await starred(['update', 'q1', '-f', file])).exitCode).toBe(0)
    expect(JSON.parse(service.received[1]?.body ?? '')).toEqual({ ...RECORD, name: 'Slow' })
  })

  it('rejects an incomplete record before sending anything', async () => {
    service.respondWith({ body: { id: 'q1', ...RECORD } })
    const file = join(scratch, 'half.json')
    writeFileSync(file, JSON.stringify({ nam: 'x', kind: 'sql', query: {} }))
    const { exitCode, err } = await starred(['update', 'q1', '-f', file])
    expect(exitCode).toBe(2)
    expect(methods()).not.toContain('PUT')
    for (const what of ['`nam`', '`who`', '`kind`', '`metadata`', '`apl`']) {
      expect(err).toContain(what)
    }
  })

  it.each([
    [422, 'The starred query has no `name`.', 1],
    [403, 'forbidden', 4],
  ])('tells a refusal with %i', async (status, message, code) => {
    service.respondWith({ status, body: { code: status, message } })
    const { exitCode, err } = await starred(['create'], { stdin: JSON.stringify(RECORD) })
    expect(exitCode).toBe(code)
    expect(err).toContain(message)
    expect(methods()).toEqual(['POST'])
  })

  it('does not repeat a change that may have been made', async () => {
    service.respondWith({ status: 503, body: { code: 503, message: 'later' } })
    expect((await starred(['create'], { stdin: JSON.stringify(RECORD) })).exitCode).toBe(1)
    expect(methods()).toEqual(['POST'])
  })

  it.each([
    [['update', 'q1'], '', /no record in standard input/],
    [['update', 'q1'], '[]', /not an object/],
    [['create'], "// Errors\n['logs'] | where status >= 500\n", /`--apl "\$\(cat query\.apl\)"`/],
    [['update', 'q1'], '{', /not JSON/],
    [['create', '--name', 'x'], '', /`--apl` sets it/],
    [['create', '--name', 'x', '--apl', "['logs'] | wher a"], '', /where/],
    [['update'], '', /id/],
  ])('answers %j with what is wrong', async (args, stdin, message) => {
    const { exitCode, err } = await starred(args, { stdin })
    expect(exitCode).toBe(2)
    expect(err).toMatch(message)
    expect(methods().filter((method) => method !== 'GET')).toEqual([])
  })
})
