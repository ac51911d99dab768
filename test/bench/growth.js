// Events of about 300 bytes from a pipe into the local service, as the input and the dataset grow: the peak
// memory of the process for 3 million events against 1 million; then 20 million, with the time of the last million against that of the first,
// and the time of the newest 100 events afterward.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventChunks } from '../support/events.js'
import { serve } from '../support/serve.js'
import { median, mostMemory, watched, writeChunks } from './commands.js'

const MILLION = 1_000_000
const MILLIONS = Number(process.env.EVQ_BENCH_MILLIONS ?? 20)
const RUNS = 3
const WRITE = 256 * 1024
const QUERIES = 15
const MEGABYTE = 1e6

const evq = join(import.meta.dirname, '../../bin/evq.js')

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const env = { PATH: process.env.PATH, HOME: directory, EVQ_DATA_DIR: join(directory, 'data') }
  try {
    const file = join(directory, 'events.ndjson')
    writeChunks(file, eventChunks(MILLION))
    const ingest = watched(`"${process.execPath}" "${evq}" ingest logs -q`)
    const feeds = { one: `cat "${file}"`, three: `cat "${file}" "${file}" "${file}"` }
    const used = { one: [], three: [] }
    for (let round = 0; round < RUNS; round++) {
      for (const [name, feed] of Object.entries(feeds)) {
        rmSync(env.EVQ_DATA_DIR, { recursive: true, force: true })
        used[name].push(mostMemory(`${feed} | ${ingest}`, env) / MEGABYTE)
      }
    }
    const flat = { handMs: median(used.one), beside: 'for 1 M', target: 1.15 }
    report({ name: '3 M events, memory', ms: median(used.three), unit: 'MB', ...flat })

    rmSync(env.EVQ_DATA_DIR, { recursive: true, force: true })
    const times = await millions(env)
    const first = { handMs: times[0], beside: 'the first', target: 1 / 0.8 }
    report({ name: `the last of ${MILLIONS} M events`, ms: times.at(-1), ...first })
    report({ name: 'the newest 100 of them', ms: await newest(env), target: 50 })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The milliseconds in which a pipe took each million of events. */
async function millions(env) {
  const child = spawn(process.execPath, [evq, 'ingest', 'logs', '-q'], {
    env,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  const write = promisify(child.stdin.write.bind(child.stdin))
  const events = Buffer.concat([...eventChunks(MILLION)].map((chunk) => Buffer.from(chunk)))
  const times = []
  for (let n = 0; n < MILLIONS; n++) {
    setDay(events, n + 1)
    const start = performance.now()
    for (let at = 0; at < events.length; at += WRITE) await write(events.subarray(at, at + WRITE))
    times.push(performance.now() - start)
  }
  child.stdin.end()
  const [status] = await ended
  if (status !== 0) throw new Error(`evq ingest ended with ${status}`)
  return times
}

/** Moves all events to a day of January: generating their text again would take longer than storing them. */
function setDay(events, day) {
  const digits = String(day).padStart(2, '0')
  for (let line = 0; line < events.length; line = events.indexOf('\n', line) + 1) {
    events.write(digits, line + '{"_time":"2026-01-'.length, 'latin1')
  }
}

async function newest(env) {
  const service = await serve(env)
  const times = []
  try {
    for (let i = 0; i < QUERIES; i++) {
      const start = performance.now()
      const response = await fetch(`${service.url}/v1/datasets/_apl?format=tabular`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.token}` },
        body: JSON.stringify({ apl: "['logs'] | sort by _time desc | limit 100", noCache: true }),
      })
      const { tables } = await response.json()
      times.push(performance.now() - start)
      if (tables[0].columns[0].length !== 100) throw new Error('not 100 events')
    }
  } finally {
    await service.stop()
  }
  return median(times)
}
