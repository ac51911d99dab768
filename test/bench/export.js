// A million local events as a CSV file: by `evq page`, its start included, compared with a program that
// has the engine write the same columns in the same order. Interleaved; medians.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventChunks } from '../support/events.js'
import { evq, firstByteMs, interleaved, median, shellMs, writeChunks } from './commands.js'

const EVENTS = 1_000_000
const RUNS = 5

const root = join(import.meta.dirname, '../..')

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  try {
    const file = join(directory, 'events.ndjson')
    writeChunks(file, eventChunks(EVENTS))
    const env = { PATH: process.env.PATH, HOME: directory, EVQ_DATA_DIR: join(directory, 'data') }
    Object.assign(env, { OUT: join(directory, 'out.csv') })
    shellMs(`${evq} ingest logs -q "${file}"`, env)
    const page = `${evq} page "['logs']" -q -o csv --direction asc`
    const times = interleaved(
      {
        scan: `${page} -O "$OUT"`,
        time: `${page} --by time -O "$OUT"`,
        engine: `rm -f "$OUT"; "${process.execPath}" "${engineScript(directory)}"`,
      },
      { env, runs: RUNS },
    )
    const against = { handMs: times.engine, target: 1 / 0.4 }
    report({ name: 'in one scan, against the engine', ms: times.scan, ...against })
    report({ name: 'by time, against the engine', ms: times.time, ...against })
    const first = []
    for (let run = 0; run < RUNS; run++) first.push(await firstByteMs(page, env))
    report({ name: 'until the first row', ms: median(first), target: 300 })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function engineScript(directory) {
  const script = join(directory, 'engine.cjs')
  writeChunks(script, [
    `const { Session } = require(${JSON.stringify(join(root, 'node_modules/chdb'))})
    ;(async () => {
      const { EVQ_DATA_DIR, OUT } = process.env
      const session = new Session(EVQ_DATA_DIR + '/engine', { connectionArgs: [] })
      await session.queryAsync(\`SELECT * EXCEPT (line, _seq, _batch) FROM datasets.logs ORDER BY _time, _seq INTO OUTFILE '\${OUT}' FORMAT CSVWithNames\`)
      session.close()
    })()`,
  ])
  return script
}
