// A small query while 8 clients store and 8 ask, against the same query while nobody else is there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '../../dist/service/serve.js'
import { at, load, prepare } from '../support/load.js'

const SECONDS = 20

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const now = () => BigInt(Date.now()) * 1_000_000n
  const service = await serve({ directory, host: '127.0.0.1', port: 0, now })
  try {
    const { expected, idleMs } = await prepare(service)
    const { errors, queryMs, ingestMs } = await load(service, { seconds: SECONDS, expected })
    if (errors.length > 0) throw new Error(errors[0])
    const idle = at(idleMs, 0.5)
    report({
      name: 'small query, p99 of 16 clients',
      ms: at(queryMs, 0.99),
      handMs: idle,
      target: 10,
    })
    report({ name: 'batch of 500, p99 of 16 clients', ms: at(ingestMs, 0.99), target: 1000 })
  } finally {
    await service.close()
    rmSync(directory, { recursive: true })
  }
}
