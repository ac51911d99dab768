import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { systemErrorMessage } from '../../error/system-error.js'
import { checkpointDirectory, deploymentOf } from '../ingest/checkpoint/checkpoints.js'
import { parseEntries } from '../ingest/checkpoint/entry.js'
import type { DatasetContext } from './context.js'

/** Removes the checkpoints of a deleted dataset, because the events that were sent no longer exist. */
export async function removeCheckpoints(
  dataset: string,
  { settings, context: { io, warn } }: DatasetContext,
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
    const message = error instanceof Error ? systemErrorMessage(error) : undefined
    if (message === undefined) throw error
    warn(
      `The checkpoints in \`${directory}\` can't be removed: ${message}. \`evq ingest --no-checkpoint\` sends the same files again.`,
    )
  }
}

/** Returns the first line of a file. A journal can be long, and its first line names its dataset. */
async function firstLine(path: string): Promise<string> {
  const input = createReadStream(path)
  try {
    for await (const line of createInterface({ input })) return `${line}\n`
    return ''
  } finally {
    input.destroy()
  }
}
