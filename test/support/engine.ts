import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../src/engine/embedded.js'
import type { Engine } from '../../src/engine/engine.js'

/** A real engine on a directory of its own, which is gone after `close`. */
export async function openTestEngine(): Promise<Engine> {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  const engine = await openEmbedded({ directory })
  return {
    run: (statement) => engine.run(statement),
    ask: (query) => engine.ask(query),
    read: (query, limits) => engine.read(query, limits),
    async close() {
      const isReleased = await engine.close()
      await rm(directory, { recursive: true, force: true })
      return isReleased
    },
  }
}
