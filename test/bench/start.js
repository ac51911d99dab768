// What a person waits for before anything happens, against a Node that does nothing. Interleaved; medians.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const RUNS = 15
const evq = join(import.meta.dirname, '../../bin/evq.js')

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  // Certificates from the environment cost every Node the same, and hide the difference.
  const env = { PATH: process.env.PATH, EVQ_DATA_DIR: directory }
  const wall = (args, input = '') => {
    const start = performance.now()
    const { status, stderr } = spawnSync(process.execPath, args, { env, input })
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
    return performance.now() - start
  }
  try {
    wall([evq, 'ingest', 'logs'], '{"level":"info"}\n{"level":"error"}\n')
    const times = { nothing: [], help: [], query: [] }
    for (let round = 0; round < RUNS; round++) {
      times.nothing.push(wall(['-e', '0']))
      times.help.push(wall([evq, '--help']))
      times.query.push(wall([evq, 'query', "['logs'] | summarize count() by level"]))
    }
    const handMs = median(times.nothing)
    report({ name: 'evq --help', ms: median(times.help), handMs, target: 2.5 })
    report({ name: 'a query of a small dataset', ms: median(times.query), target: 400 })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
