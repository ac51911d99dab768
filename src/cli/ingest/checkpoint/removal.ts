import type { Connection } from '../../../client/connection.js'
import { managedDatasets } from '../../../client/datasets.js'
import { isDenied, isEndpointMissing } from '../../../client/error.js'
import { MAX_REMOVED_BATCHES } from '../../../wire/http/dataset-info.js'
import { MalformedResponseError } from '../../../wire/http/response-json.js'
import { CommandError } from '../../error/command-error.js'
import { EXIT } from '../../exit-code.js'
import type { BatchIds } from './batch-ids.js'

export type BatchRemoval = ReturnType<typeof batchRemoval>

interface RemovalOptions {
  readonly connection: Connection
  readonly dataset: string
  /** Aborting it cancels a request in flight. */
  readonly signal: AbortSignal
}

/** Returns the removal of the events that earlier runs stored. */
export function batchRemoval({ connection, dataset, signal }: RemovalOptions) {
  const datasets = managedDatasets(connection, signal)
  return {
    /** Throws a `CommandError` when the deployment does not support the removal of batches, or the token does not permit it. */
    async check(): Promise<void> {
      try {
        await datasets.removeBatches(dataset, [])
      } catch (error) {
        if (!(error instanceof Error)) throw error
        const isMissing = error instanceof MalformedResponseError || isEndpointMissing(error)
        if (!isMissing) throw failure(error, 'Nothing was changed.')
        throw new CommandError(
          `${connection.name} can't remove the events of a file, so \`--replace\` is not possible. Nothing was changed. \`evq dataset delete ${dataset}\` deletes the whole dataset, where the deployment supports it; \`--no-checkpoint\` sends the file again without removing its events.`,
        )
      }
    },
    /** Removes the events of batches; resolves with their number. Throws a `CommandError` when some events may remain. */
    async remove(ids: BatchIds): Promise<number> {
      let removed = 0
      try {
        for (const chunk of ids.chunks(MAX_REMOVED_BATCHES)) {
          removed += await datasets.removeBatches(dataset, chunk)
        }
        return removed
      } catch (error) {
        if (!(error instanceof Error)) throw error
        throw failure(error, 'The same command removes the rest and sends the file.')
      }
    },
  }
}

function failure(error: Error, consequence: string): CommandError {
  return new CommandError(
    `The events stored before could not be removed: ${error.message} ${consequence}`,
    isDenied(error) ? EXIT.denied : EXIT.failed,
  )
}
