// A small query while 8 clients query and 8 ingest, compared with the same query on an idle service. The
// clients have a fixed rate: clients at full speed would use all cores and measure the machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, cpuSeconds, load, prepare } from '../support/load.js'
import { serve } from '../support/serve.js'

const SECONDS = 20

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const service = await serve({ PATH: process.env.PATH, EVQ_DATA_DIR: directory })
  try {
    const { expected, idleMs } = await prepare(service)
    const busy = busySeconds()
    const own = await ownSeconds(service)
    const { errors, queryMs, ingestMs } = await load(service, { seconds: SECONDS, expected })
    if (errors.length > 0) throw new Error(errors[0])
    const others = busySeconds() - busy - ((await ownSeconds(service)) - own)
    report({
      name: 'p99 of 8 asking 5/s, 8 storing 2x500/s',
      ms: at(queryMs, 0.99),
      handMs: at(idleMs, 0.5),
      target: 10,
    })
    report({ name: 'their batches of 500, p99', ms: at(ingestMs, 0.99), target: 1000 })
    // Other busy processes falsify the rows above.
    report({
      name: 'what others took of the machine',
      ms: (100 * others) / SECONDS / availableParallelism(),
      unit: '%',
    })
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
}

async function ownSeconds(service) {
  const { user, system } = process.cpuUsage()
  return (await cpuSeconds(service)) + (user + system) / 1e6
}

/** Returns the time that the cores were busy since the machine started. */
function busySeconds() {
  const busy = cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq)
  return busy.reduce((sum, ms) => sum + ms, 0) / 1000
}
