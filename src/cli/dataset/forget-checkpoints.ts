import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEntries } from '../ingest/checkpoint-entry.js'
import { checkpointDirectory, deploymentOf } from '../ingest/checkpoint-place.js'
import { systemWords } from '../system-words.js'
import type { DatasetContext } from './context.js'

/** Forgets which files were sent to a dataset that is gone: what was sent is not there any more. */
export async function forgetCheckpoints(
  dataset: string,
  { settings, context: { io, note } }: DatasetContext,
): Promise<void> {
  const directory = checkpointDirectory(io.env)
  try {
    const deployment = await deploymentOf(settings)
    const names = await readdir(directory).catch(() => [])
    for (const name of names.filter((one) => one.endsWith('.ndjson'))) {
      const path = join(directory, name)
      const [head] = parseEntries(await readFile(path, 'utf8')) ?? []
      const isOfDataset = head?.kind === 'checkpoint' && head.dataset === dataset
      if (isOfDataset && head.deployment === deployment) await rm(path, { force: true })
    }
  } catch (error) {
    const words = error instanceof Error ? systemWords(error) : undefined
    if (words === undefined) throw error
    note(
      `The checkpoints in \`${directory}\` can't be removed: ${words}. \`evq ingest --no-checkpoint\` sends the same files again.`,
    )
  }
}
