import { resolve } from 'node:path'
import { datasetNameError, isDatasetName } from '../../../../wire/http/dataset-name.js'
import type { Context } from '../../../context.js'
import { UsageError } from '../../../error/usage-error.js'
import type { IngestOptions } from './options.js'

/** Refuses what can't be meant, before anything is read or opened. */
export function checkCommandLine(options: IngestOptions, { io }: Context): void {
  const { dataset, files, rejects, receipt, retry, checkpoint, recursive, follow } = options
  if (!isDatasetName(dataset)) {
    throw new UsageError(datasetNameError(dataset))
  }
  const read = files.map((file) => resolve(file))
  for (const [flag, file] of Object.entries({
    rejects,
    receipt,
    checkpoint: checkpoint || undefined,
  })) {
    if (file !== undefined && read.includes(resolve(file))) {
      throw new UsageError(`\`--${flag}\` names \`${file}\`, which is one of the files to be read.`)
    }
  }
  const looks = options.check ? '--check' : options.dryRun ? '--dry-run' : undefined
  if (looks !== undefined) checkLook(looks, options)
  if (follow && (files.length === 0 || files.includes('-'))) {
    throw new UsageError('`--follow` takes files; standard input is read to its end without it.')
  }
  if (follow && (recursive || retry !== undefined)) {
    throw new UsageError(
      `\`--follow\` takes the files themselves, not \`${recursive ? '--recursive' : '--retry'}\`.`,
    )
  }
  if (retry !== undefined && files.length > 0) {
    throw new UsageError('`--retry` reads its own file and no other.')
  }
  if (retry !== undefined && rejects !== undefined) {
    throw new UsageError(
      '`--retry` leaves what fails again in its own file: `--rejects` is not needed.',
    )
  }
  if (typeof checkpoint === 'string' && (files.length > 1 || recursive || retry !== undefined)) {
    throw new UsageError(
      '`--checkpoint` is for one input. Several files have their checkpoints without it, each its own.',
    )
  }
  if (files.length === 0 && retry === undefined && io.stdin.isTTY) {
    throw new UsageError(
      `Nothing is piped in and no file is named. \`cat app.ndjson | evq ingest ${dataset}\` and \`evq ingest ${dataset} app.ndjson\` work.`,
    )
  }
}

/** A flag that sends nothing goes with none that tells of what was sent. */
function checkLook(flag: '--check' | '--dry-run', options: IngestOptions): void {
  const { check, dryRun, rejects, retry, receipt } = options
  const others = {
    '--dry-run': check && dryRun,
    '--rejects': rejects,
    '--retry': retry,
    '--receipt': receipt,
  }
  for (const [other, value] of Object.entries(others)) {
    if (value)
      throw new UsageError(`\`${flag}\` sends nothing, so it does not go with \`${other}\`.`)
  }
}
