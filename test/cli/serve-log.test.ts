import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start } from '../support/evq.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
let directories = 0

/** Runs a service for some requests; returns its token and its output after the first lines. */
async function logOf(flags: readonly string[]): Promise<{ token: string; lines: string[] }> {
  const directory = join(scratch, `data-${directories++}`)
  const service = start(['serve', '--listen', '127.0.0.1:0', ...flags], { directory })
  const url = (await service.err.until(/on (http:\S+)\. /))[1]!
  const token = (await service.err.until(/shown only once: (xapt-\S+)\n.*\n/))[1]!
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = (path: string, body: string) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body }).then((response) => response.text())
  await post('/v1/ingest/logs', '[{"secret":"in the body"}]')
  await post('/v1/datasets/_apl?format=tabular&x=in-the-address', '{"apl":"logs | count"}')
  await fetch(`${url}/healthz`)
  await fetch(`${url}/nowhere`, { headers: { authorization: 'Bearer xapt-wrong' } })
  service.child.kill('SIGTERM')
  const { stderr } = await service.ended
  const after = stderr.slice(stderr.indexOf('To use this service')).split('\n').slice(1, -1)
  return { token, lines: after }
}

it('has a line of JSON for each request, and nothing that is secret', async () => {
  const { token, lines } = await logOf([])
  const entries = lines.map((line) => JSON.parse(line))
  const request = { level: 'info', msg: 'request', method: 'POST', status: 200, token: 'first' }
  expect(entries).toMatchObject([
    { ...request, route: '/v1/ingest/:dataset', receivedBytes: 26 },
    { ...request, route: '/v1/datasets/_apl', receivedBytes: 22 },
    { level: 'warn', msg: 'refused', method: 'GET', path: '/nowhere' },
    { level: 'info', msg: 'request', method: 'GET', status: 403, id: entries[2].id },
  ])
  for (const { time, id, ms, sentBytes } of entries.filter(({ msg }) => msg === 'request')) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(ms).toBeGreaterThan(0)
    expect(sentBytes).toBeGreaterThan(0)
  }
  const text = lines.join('\n')
  for (const secret of [token, 'xapt-wrong', 'in the body', 'in-the-address']) {
    expect(text).not.toContain(secret)
  }
})

it('reports the events deleted by retention', async () => {
  const directory = join(scratch, `data-${directories++}`)
  const service = start(['serve', '--listen', '127.0.0.1:0', '--retention', '2s'], { directory })
  const url = (await service.err.until(/on (http:\S+)\. /))[1]!
  const token = (await service.err.until(/shown only once: (xapt-\S+)\n.*\n/))[1]!
  await fetch(`${url}/v1/ingest/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '[{"_time":"2026-01-01T00:00:00Z"},{"_time":"2026-01-02T00:00:00Z"}]',
  })
  const [line] = await service.err.until(/\{.*"expired"\}/)
  expect(JSON.parse(line)).toMatchObject({ level: 'info', dataset: 'logs', events: 2 })
  service.child.kill('SIGTERM')
  await service.ended
})

it('logs probes with -v', async () => {
  const { lines } = await logOf(['-v'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info' },
    { level: 'info' },
    { level: 'debug', route: '/healthz' },
    { level: 'warn' },
    { level: 'info' },
  ])
})

it('logs only refusals with -q', async () => {
  const { lines } = await logOf(['-q'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', msg: 'refused' }])
})

it('does not stop the service when its reader closes the pipe', async () => {
  const directory = join(scratch, 'unread')
  const service = start(['serve', '--listen', '127.0.0.1:0'], { directory })
  const url = (await service.err.until(/on (http:\S+)\. /))[1]!
  service.child.stderr?.destroy()
  for (let i = 0; i < 5; i++) expect((await fetch(`${url}/nowhere`)).status).toBe(403)
  service.child.kill('SIGTERM')
  const ended = new Promise((resolve) => service.child.on('exit', resolve))
  expect(await ended).toBe(0)
})

it('does not wait for a reader of the log that has stalled', async () => {
  const service = start(['serve', '--listen', '127.0.0.1:0'], {
    directory: join(scratch, 'stalled'),
  })
  const url = (await service.err.until(/on (http:\S+)\. /))[1]!
  service.child.stderr?.pause()
  // More than the pipe and the buffers of this process hold.
  const path = 'x'.repeat(8_000)
  for (let i = 0; i < 200; i++) expect((await fetch(`${url}/${path}`)).status).toBe(403)
  const ended = new Promise((resolve) => {
    service.child.on('exit', (...end) => resolve(end))
  })
  service.child.kill('SIGTERM')
  expect(await ended).toEqual([null, 'SIGTERM'])
  service.child.stderr?.resume()
})
