import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../src/engine/embedded.js'
import type { Engine } from '../../src/engine/engine.js'
import { sql } from '../../src/sql/sql.js'

/** A real engine on a directory of its own, which is gone after `close`. */
export async function openTestEngine(): Promise<Engine> {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  const engine = await openEmbedded({ directory })
  return {
    run: (statement) => engine.run(statement),
    ask: (query) => engine.ask(query),
    async read(query, limits) {
      try {
        return await engine.read(query, limits)
      } catch (error) {
        // What the failed query had written already would stand at the head of the next answer.
        await engine.read(sql`SELECT 1`, limits)
        throw error
      }
    },
    async close() {
      await engine.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
