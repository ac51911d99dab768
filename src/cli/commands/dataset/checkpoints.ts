import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../../text/replace-file.js'
import { systemErrorMessage } from '../../error/system-error.js'
import {
  checkpointDirectory,
  checkpointName,
  deploymentOf,
} from '../../ingest/checkpoint/checkpoints.js'
import type { Head } from '../../ingest/checkpoint/entry.js'
import { checkpointsIn, firstEntries } from '../../ingest/checkpoint/sent-files.js'
import type { DatasetContext } from './context.js'

/** Removes the checkpoints of a deleted dataset, because the events that were sent no longer exist. */
export async function removeCheckpoints(dataset: string, found: DatasetContext): Promise<void> {
  await changeCheckpoints(dataset, found, {
    change: (path) => rm(path, { force: true }),
    failure: "can't be removed",
    advice: '`evq ingest --no-checkpoint` sends the same files again.',
  })
}

/** Moves the checkpoints of a renamed dataset to its new name, so that the same files are not sent to it again. */
export async function renameCheckpoints(
  dataset: string,
  to: string,
  found: DatasetContext,
): Promise<void> {
  await changeCheckpoints(dataset, found, {
    async change(path, head) {
      const renamed = { ...head, dataset: to }
      // A buffer, because a journal may exceed the maximum length of a string.
      const journal = await readFile(path)
      const end = journal.indexOf('\n')
      // A journal that was cut off within its first line stays so: `evq ingest` reports it.
      const entries = journal.subarray(end < 0 ? journal.length : end)
      const target = join(dirname(path), checkpointName(renamed))
      const text = Buffer.concat([Buffer.from(JSON.stringify(renamed)), entries])
      await replaceFile(target, text, { mode: 0o600 })
      await rm(path, { force: true })
    },
    failure: "can't be renamed",
    advice: `\`evq ingest ${to}\` sends the same files again.`,
  })
}

interface CheckpointChange {
  readonly change: (path: string, head: Head) => Promise<void>
  /** Completes the message of a failure: "can't be removed". */
  readonly failure: string
  readonly advice: string
}

async function changeCheckpoints(
  dataset: string,
  { settings, context: { io, warn } }: DatasetContext,
  { change, failure, advice }: CheckpointChange,
): Promise<void> {
  const directory = checkpointDirectory(io.env)
  try {
    const deployment = await deploymentOf(settings)
    for (const path of await checkpointsIn(directory)) {
      const [head] = firstEntries(path)
      const isOfDataset = head?.kind === 'checkpoint' && head.dataset === dataset
      if (isOfDataset && head.deployment === deployment) await change(path, head)
    }
  } catch (error) {
    const message = error instanceof Error ? systemErrorMessage(error) : undefined
    if (message === undefined) throw error
    warn(`The checkpoints in \`${directory}\` ${failure}: ${message}. ${advice}`)
  }
}
