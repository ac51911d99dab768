// A million events of about 300 bytes to a service that ignores them: by `evq ingest`, its start
// included, against curl, from a file and from a pipe. Interleaved; medians.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventChunks } from '../support/events.js'
import { interleaved, mostMemory, startSink, watched, writeChunks } from './commands.js'

const EVENTS = 1_000_000
const BATCH = 10_000
const RUNS = 5
const MEGABYTE = 1e6

const evq = join(import.meta.dirname, '../../bin/evq.js')

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const sink = await startSink()
  try {
    const file = join(directory, 'events.ndjson')
    writeChunks(file, eventChunks(EVENTS))
    const { url } = sink
    const env = {
      PATH: process.env.PATH,
      HOME: directory,
      EVQ_DATA_DIR: directory,
      EVQ_URL: url,
      FILE: file,
    }
    const ingest = `"${process.execPath}" "${evq}" ingest logs -q --batch-size ${BATCH} --flush-every 1m`
    const curl = `curl -sf -o /dev/null`
    const hasCurl = spawnSync('curl', ['--version']).status === 0
    const ways = {
      file: `${ingest} "$FILE"`,
      pipe: `cat "$FILE" | ${ingest}`,
      ...(hasCurl && {
        curlFile: `${curl} -T "$FILE" "$EVQ_URL/v1/ingest/logs"`,
        curlPipe: `cat "$FILE" | ${curl} --data-binary @- "$EVQ_URL/v1/ingest/logs"`,
      }),
    }
    const times = interleaved(ways, { env, runs: RUNS, before: () => forget(env) })
    const note = hasCurl ? '' : ' (there is no curl to compare with)'
    const against = (handMs, target) => (hasCurl ? { handMs, target } : {})
    report({ name: `a file${note}`, ms: times.file, ...against(times.curlFile, 1 / 0.65) })
    report({ name: `a pipe${note}`, ms: times.pipe, ...against(times.curlPipe, 1) })
    const memory = { unit: 'MB', target: 120 }
    const measured = watched(ingest)
    forget(env)
    const fromFile = mostMemory(`${measured} "$FILE"`, env)
    const fromPipe = mostMemory(`cat "$FILE" | ${measured}`, env)
    report({ name: 'memory, from a file', ms: fromFile / MEGABYTE, ...memory })
    report({ name: 'memory, from a pipe', ms: fromPipe / MEGABYTE, ...memory })
  } finally {
    sink.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Without it, files that were already sent would be skipped. */
function forget({ HOME }) {
  rmSync(join(HOME, '.local'), { recursive: true, force: true })
}
