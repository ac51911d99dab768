import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { posted } from './posted.js'

/** Starts VictoriaLogs on a free port, with its data in a folder. */
export async function startVictoriaLogs(program, folder) {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  const flags = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`]
  const child = spawn(program, [...flags, '-retentionPeriod=10y'], { stdio: 'ignore' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const query = (text) =>
    posted(
      { port, path: '/select/logsql/query', headers: form },
      new URLSearchParams({ query: text }).toString(),
    )
  while (child.exitCode === null) {
    const isUp = await query('* | count()').then(
      () => true,
      () => false,
    )
    if (isUp) break
    await sleep(100)
  }
  const path = '/insert/jsonline?_time_field=_time&_msg_field=message&_stream_fields=service'
  return {
    query,
    /** Inserts what a function writes to a stream. */
    async insert(write) {
      const body = new PassThrough()
      const sent = posted({ port, path }, body)
      await write(body)
      body.end()
      await sent
    },
    stop: () => child.kill(),
  }
}
