import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { needsEmbedded } from '../support/engine.js'
import { until } from '../support/until.js'
import { ndjson, TemporaryStore } from './temporary-store.js'

const KILLS = Number(process.env.EVQ_KILLS ?? 3)
const WRITER = join(import.meta.dirname, 'promotion-writer.js')

// The process that is killed opens the data of a directory.
it('never leaves a wrong column when the process is killed', needsEmbedded, async () => {
  const evq = await TemporaryStore.open()
  for (let round = 0; round < KILLS; round++) {
    const dataset = `logs${round}`
    await evq.store.close()
    const writer = spawn(process.execPath, [WRITER, evq.directory, String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(writer, 'exit')
    await Promise.race([once(writer.stdout, 'data'), exited])
    // Any moment will do.
    await sleep(20 + ((round * 3) % 8) * 45)
    writer.kill('SIGKILL')
    expect(await exited).toEqual([null, 'SIGKILL'])
    await evq.reopen()
    expect(await evq.contradictions(dataset)).toEqual([])
    const more = Array.from({ length: 40_000 }, () => ({ good: 1, bad: 1 }))
    await evq.ingest(ndjson(more), { dataset })
    const types = (): readonly string[] =>
      ['good', 'bad'].map((name) => evq.field(name, dataset) ?? '')
    await until(() => types()[0]?.endsWith('good:int') === true, 'a column for the field `good`')
    expect(types()).toEqual(['int · integer · good:int', 'dynamic · ? · no column'])
    expect(await evq.contradictions(dataset)).toEqual([])
  }
})
