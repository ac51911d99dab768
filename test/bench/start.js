// Start-up time in CPU time, compared with a Node that does nothing, because
// both use one core and CPU time is independent of other load. Interleaved; medians.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '../support/serve.js'
import { median } from './commands.js'

const RUNS = 25
/** Command lines that do nothing but print. The goal of those that load a command is the cost of its options, not of its work. */
const PRINTS = {
  '--help': { words: ['--help'], target: 1.3 },
  '--version': { words: ['--version'], target: 1.3 },
  'an unknown command': { words: ['qeury'], status: 2, target: 1.5 },
  'a wrong flag': { words: ['query', '--nope'], status: 2, target: 2 },
  'a completion script': { words: ['completion', 'bash'], target: 2 },
}
const evq = join(import.meta.dirname, '../../bin/evq.js')

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  // Certificates from the environment slow down every Node equally and hide the difference.
  const env = { PATH: process.env.PATH, EVQ_DATA_DIR: directory }
  const query = [evq, 'query', "['logs'] | summarize count() by level"]
  const times = { nothing: [], remote: [], local: [] }
  for (const name of Object.keys(PRINTS)) times[name] = []
  const service = await serve(env)
  try {
    const remote = { ...env, EVQ_URL: service.url, EVQ_TOKEN: service.token }
    const input = '{"level":"info"}\n{"level":"error"}\n'
    wallMs([evq, 'ingest', 'logs'], { env: remote, input })
    for (let round = 0; round < RUNS; round++) {
      times.nothing.push(cpuMs(['-e', '0'], env))
      for (const [name, { words, status }] of Object.entries(PRINTS)) {
        times[name].push(cpuMs([evq, ...words], env, status))
      }
      times.remote.push(cpuMs(query, remote))
    }
    await service.stop()
    for (let round = 0; round < RUNS; round++) times.local.push(wallMs(query, { env }))
    const handMs = median(times.nothing)
    for (const [name, { target }] of Object.entries(PRINTS)) {
      report({ name: `${name}, CPU`, ms: median(times[name]), handMs, beside: 'node', target })
    }
    report({ name: 'a tiny query of a service, CPU', ms: median(times.remote), handMs, target: 3 })
    report({ name: 'a query of a small dataset', ms: median(times.local), target: 400 })
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Measures the CPU time of a process with bash, because Node does not report it for children. */
function cpuMs(args, env, expected = 0) {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null 2>&1'
  const timed = ['--norc', '-c', script, 'bash', process.execPath, ...args]
  const { status, stderr } = spawnSync('bash', timed, { env, encoding: 'utf8' })
  if (status !== expected) throw new Error(`${args.join(' ')} ended with ${status}`)
  const [user, system] = stderr.trim().split(' ')
  return (Number(user) + Number(system)) * 1000
}

function wallMs(args, options) {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, options)
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - start
}
