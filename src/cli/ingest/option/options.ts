import { WireCompression } from '../../../client/wire-compression.js'
import { isRegularFile } from '../../../text/regular-file.js'
import { datasetNameError, isDatasetName } from '../../../wire/http/dataset-name.js'
import { isLocalHost } from '../../../wire/http/loopback.js'
import { type Context, hasInput } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import type { Settings } from '../../settings/settings.js'
import type { MaxErrors } from '../send/error-limit.js'
import { checkReadingFlags, type ReadingFlags } from './reading-flags.js'

export interface IngestOptions extends ReadingFlags {
  readonly dataset: string
  readonly files: readonly string[]
  readonly batchSize?: number
  readonly batchBytes?: number
  /** In milliseconds. */
  readonly flushEvery?: number
  readonly concurrency?: number
  readonly compress?: CompressMode
  readonly maxErrors?: MaxErrors
  /** A path. */
  readonly rejects?: string
  readonly retry?: string
  readonly receipt?: string
  /** Inspects the events and sends nothing. */
  readonly check?: boolean
  /** Reports the requests and sends nothing. */
  readonly dryRun?: boolean
  /** Follows the files until the run is interrupted. */
  readonly follow?: boolean
  /** Removes the events of the files that earlier runs stored. */
  readonly replace?: boolean
  /** The path of the checkpoint; `false` for no checkpoints. */
  readonly checkpoint?: string | false
}

export type CompressMode = 'auto' | 'gzip' | 'none'

/** Returns the compression of batches; `undefined` when they are sent uncompressed. */
export function compressionOf(
  { url, ingestUrl }: Pick<Settings, 'url' | 'ingestUrl'>,
  compress: CompressMode = 'auto',
): WireCompression | undefined {
  if (url === undefined || compress === 'none') return undefined
  // On the same machine, compression only takes time.
  const isLocal = isLocalHost(new URL(ingestUrl ?? url).hostname)
  return compress === 'gzip' || !isLocal ? new WireCompression() : undefined
}

/** Throws a `UsageError` when arguments or flags contradict each other. */
export function checkCommandLine(options: IngestOptions, { io }: Context): void {
  const { dataset, files, rejects, retry, checkpoint, recursive, follow } = options
  const hasNoInput = files.length === 0 && retry === undefined && !hasInput(io)
  const isName = isDatasetName(dataset)
  // A shell may have expanded `*.log`. A file without a suffix may have the name of the dataset by chance, such as a program.
  const isExpanded = files.length > 0 && dataset.includes('.')
  const looks = options.check ? '--check' : options.dryRun ? '--dry-run' : undefined
  if ((hasNoInput || !isName || isExpanded) && isRegularFile(dataset)) {
    const [other = ''] = files
    const isSwapped = files.length === 1 && isDatasetName(other) && !isRegularFile(other)
    const words = isSwapped ? [other, dataset] : ['logs', dataset, ...files.slice(0, 1)]
    const more = files.length > 1 ? ['…'] : []
    const command = ['evq ingest', ...(looks ? [looks] : []), ...words, ...more].join(' ')
    throw new UsageError(
      `No dataset: \`${dataset}\` is a file, and the first argument is the dataset to store its events in, as in \`${command}\`.`,
    )
  }
  if (!isName) throw new UsageError(datasetNameError(dataset))
  checkReadingFlags(options)
  if (looks !== undefined) checkPreview(looks, options)
  if (follow && (files.length === 0 || files.includes('-'))) {
    throw new UsageError('`--follow` takes files. Standard input is always read to its end.')
  }
  if (follow && (recursive || retry !== undefined)) {
    throw new UsageError(
      `\`--follow\` can't be used with \`${recursive ? '--recursive' : '--retry'}\`.`,
    )
  }
  if (options.replace) checkReplace(options)
  if (retry !== undefined && files.length > 0) {
    throw new UsageError('`--retry` reads the rejects file and takes no other files.')
  }
  if (retry !== undefined && rejects !== undefined) {
    throw new UsageError(
      '`--retry` keeps events that fail again in its file, so `--rejects` is not needed.',
    )
  }
  if (typeof checkpoint === 'string' && (files.length > 1 || recursive || retry !== undefined)) {
    throw new UsageError(
      '`--checkpoint` takes one input. Several files have automatic checkpoints without it.',
    )
  }
  if (hasNoInput && io.stdin.isTTY) {
    throw new UsageError(
      `No input: name a file, as in \`evq ingest ${dataset} app.ndjson\`, or pipe events in, as in \`cat app.ndjson | evq ingest ${dataset}\`.`,
    )
  }
}

/** Throws a `UsageError` when `--replace` has no files whose earlier events are known. */
function checkReplace({ files, follow, retry, checkpoint }: IngestOptions): void {
  if (checkpoint === false) {
    throw new UsageError(
      "`--replace` removes the events that the checkpoint lists, so it can't be used with `--no-checkpoint`.",
    )
  }
  if (retry !== undefined) {
    throw new UsageError(
      "`--replace` can't be used with `--retry`. It takes the files that were sent, not a rejects file.",
    )
  }
  if (follow) {
    throw new UsageError(
      "`--replace` can't be used with `--follow`. Run it once without `--follow`; `--follow` then continues from there.",
    )
  }
  if (files.length === 0 || files.includes('-')) {
    throw new UsageError(
      '`--replace` takes files. It is not known what was stored from standard input before.',
    )
  }
}

/** Throws a `UsageError` when a preview is combined with a flag about sending. */
function checkPreview(flag: '--check' | '--dry-run', options: IngestOptions): void {
  const { rejects, retry, receipt, replace } = options
  const others = {
    '--rejects': rejects,
    '--retry': retry,
    '--receipt': receipt,
    '--replace': replace,
  }
  for (const [other, value] of Object.entries(others)) {
    if (value)
      throw new UsageError(`\`${flag}\` sends nothing, so it can't be used with \`${other}\`.`)
  }
}
