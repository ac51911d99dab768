// A large dataset: how it is stored, restarted, exported and trimmed, compared with a quarter of its events, and its queries beside
// the engine's SQL. `EVQ_BENCH_EVENTS` is the number of events, 5 million by default; they are piped and never lie on the disk.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeEvents } from './scale/events.js'
import { live, store } from './scale/life.js'
import { measureQueries, mergeParts } from './scale/queries.js'
import { startVictoriaLogs } from './scale/victoria-logs.js'

const EVENTS = Number(process.env.EVQ_BENCH_EVENTS ?? 5_000_000)
const QUARTER = Math.ceil(EVENTS / 4)
/** Nothing may grow faster than the events; single measurements vary. */
const TARGET = 1.25

export async function run(report) {
  const quarter = await within((env) => measure(env, QUARTER))
  await within(async (env) => {
    const peer = process.env.EVQ_BENCH_VICTORIALOGS
    const victoria = peer && (await startVictoriaLogs(peer, join(env.HOME, 'victoria')))
    try {
      await victoria?.insert((stream) => writeEvents(stream, EVENTS))
      const queries = () => measureQueries({ directory: env.EVQ_DATA_DIR, victoria, report })
      const whole = await measure(env, EVENTS, queries)
      reportGrowth({ quarter, whole, report })
    } finally {
      victoria?.stop()
    }
  })
}

async function measure(env, events, queries = async () => {}) {
  const stored = await store(env, events)
  await mergeParts(env.EVQ_DATA_DIR)
  await queries()
  return { ...stored, ...(await live(env, events)) }
}

function reportGrowth({ quarter, whole, report }) {
  for (const [name, { value, unit, target }] of Object.entries(whole)) {
    const row = { name: `${EVENTS / 1e6} M events, ${name}`, ms: value, unit }
    const handMs = (quarter[name]?.value * EVENTS) / QUARTER
    if (target !== undefined) report({ ...row, target })
    else report({ ...row, handMs, beside: '= 4 quarters', target: TARGET })
  }
}

async function within(work) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  try {
    const data = join(directory, 'data')
    return await work({ PATH: process.env.PATH, HOME: directory, EVQ_DATA_DIR: data })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
