// A dataset from its first event to its deletion, with the program itself: stored from a pipe, queried after a restart, exported,
// trimmed.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { serve } from '../../support/serve.js'
import { median, usageIn } from '../commands.js'
import { daysOf, startOfDay, writeEvents } from './events.js'

const MEGABYTE = 1e6
/** Of a million events, with those of merged parts. */
const FILES_MB = 120
const BATCH = 1_000
const BATCHES = 15
/** Times of few events vary by more than they grow. */
const FEWEST_BLOCKS = 10

const evq = join(import.meta.dirname, '../../../bin/evq.js')
const memoryOf = join(import.meta.dirname, '../most-memory.cjs')

/** Stores events; returns the measured values by name. */
export async function store(env, events) {
  const began = performance.now()
  const child = spawn(process.execPath, ['-r', memoryOf, evq, 'ingest', 'logs', '-q'], {
    env,
    stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
  })
  const [usage, ended] = [text(child.stdio[3]), once(child, 'exit')]
  const blocks = await writeEvents(child.stdin, events)
  child.stdin.end()
  const [status] = await ended
  if (status !== 0) throw new Error(`evq ingest ended with ${status}`)
  const seconds = (performance.now() - began) / 1000
  const { bytes, cpuMs } = usageIn(await usage)
  const some = Math.floor(blocks.length / FEWEST_BLOCKS)
  const sum = (times) => times.reduce((all, ms) => all + ms, 0)
  return {
    'stored from a pipe': { value: seconds, unit: 's' },
    'stored from a pipe, CPU': { value: cpuMs / 1000, unit: 's' },
    'stored from a pipe, peak memory': { value: bytes / MEGABYTE, unit: 'MB' },
    ...(some > 0 && {
      'the last tenth of them, against the first': {
        value: sum(blocks.slice(-some)) / sum(blocks.slice(0, some)),
        unit: '×',
        target: 1.25,
      },
    }),
    // The files of merged parts are deleted minutes later.
    'all files after it': {
      value: diskBytes(env) / MEGABYTE,
      unit: 'MB',
      target: (FILES_MB * events) / 1e6,
    },
  }
}

/** Restarts the service on stored events, and uses and deletes some of them; returns the measured values by name. */
export async function live(env, events) {
  const began = performance.now()
  const service = await serve(env)
  const found = { 'start of the service': ms(performance.now() - began) }
  const measure = async (name, work) => {
    const start = performance.now()
    const result = await work()
    found[name] = ms(performance.now() - start)
    return result
  }
  const post = (path, body, headers) => posted(service, { path, body, headers })
  const insert = (n) => {
    const headers = { 'content-type': 'application/x-ndjson', 'x-service-batch-id': `batch-${n}` }
    return post('/v1/ingest/logs', batch(events), headers)
  }
  const query = (apl) => post('/v1/datasets/_apl?format=tabular', { apl, noCache: true })
  try {
    const startTime = startOfDay(0)
    const [{ compressedBytes }] = await stats(service)
    found['on the disk, merged'] = { value: compressedBytes / MEGABYTE, unit: 'MB' }
    await measure('its first query', () => query('logs | summarize count() by service'))
    await measure('a dataset list', () => program(env, ['dataset', 'list']))
    await measure('the first batch stored', () => insert(0))
    const times = []
    for (let n = 1; n <= BATCHES; n++) {
      const start = performance.now()
      await insert(n)
      times.push(performance.now() - start)
    }
    found['a batch stored'] = ms(median(times))
    const day = ['--since', startTime, '--until', startOfDay(1)]
    const out = ['-q', '-o', 'csv', '-O', join(env.HOME, 'day.csv')]
    await measure('a day exported', () => program(env, ['page', "['logs']", ...day, ...out]))
    const ids = { ids: ['batch-3'] }
    const removal = '/v1/datasets/logs/_batches/remove'
    const { removed } = await measure('a batch removed', () => post(removal, ids))
    if (removed !== BATCH) throw new Error(`${removed} events removed`)
    const before = startOfDay(daysOf(events) / 10)
    await measure('a tenth trimmed', () => post('/v1/datasets/logs/trim', { before }))
    const peak = Number(
      /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1],
    )
    found['peak memory of the service'] = { value: (peak * 1024) / MEGABYTE, unit: 'MB' }
  } finally {
    await service.stop()
  }
  return found
}

function ms(value) {
  return { value, unit: 'ms' }
}

/** The events of a batch are newer than those in the blocks. */
function batch(events) {
  const time = startOfDay(daysOf(events))
  const lines = Array.from({ length: BATCH }, (_, i) => `{"_time":"${time}","status":${i}}\n`)
  return lines.join('')
}

async function posted({ url, token }, { path, body, headers }) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer.slice(0, 300)}`)
  return JSON.parse(answer)
}

async function stats({ url, token }) {
  const headers = { authorization: `Bearer ${token}` }
  return await (await fetch(`${url}/v1/datasets/_stats`, { headers })).json()
}

async function program(env, words) {
  await promisify(execFile)(process.execPath, [evq, ...words], { env })
}

function diskBytes({ EVQ_DATA_DIR }) {
  return 1024 * Number.parseInt(execFileSync('du', ['-sk', EVQ_DATA_DIR], { encoding: 'utf8' }), 10)
}
