import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { systemWords } from '../../error/system-error.js'
import { checkpointDirectory, deploymentOf } from '../ingest/checkpoint/directory.js'
import { parseEntries } from '../ingest/checkpoint/entry.js'
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
      const [head] = parseEntries(await firstLine(path)) ?? []
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

/** The first line of a file: a journal is as long as what was sent, and its first line says what it is about. */
async function firstLine(path: string): Promise<string> {
  const input = createReadStream(path)
  try {
    for await (const line of createInterface({ input })) return `${line}\n`
    return ''
  } finally {
    input.destroy()
  }
}
