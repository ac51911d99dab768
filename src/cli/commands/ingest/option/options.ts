import { resolve } from 'node:path'
import { Option } from 'commander'
import { WireCompression } from '../../../../client/wire-compression.js'
import type { Format } from '../../../../input/format.js'
import { datasetNameError, isDatasetName } from '../../../../wire/http/dataset-name.js'
import type { Context } from '../../../context.js'
import { UsageError } from '../../../error/usage-error.js'
import { isLoopback } from '../../../settings/address.js'
import type { Settings } from '../../../settings/settings.js'
import type { MaxErrors } from '../send/error-limit.js'

/** What `evq ingest` is asked for, as its flags say it. */
export interface IngestOptions {
  readonly dataset: string
  readonly files: readonly string[]
  readonly recursive?: boolean
  readonly inputFormat?: Format | 'auto'
  readonly timestampField?: string
  /** A layout of Go's reference time. */
  readonly timestampFormat?: string
  readonly label?: Readonly<Record<string, string>>
  readonly csvFields?: readonly string[]
  readonly delimiter?: string
  readonly batchSize?: number
  readonly batchBytes?: number
  /** Milliseconds. */
  readonly flushEvery?: number
  readonly concurrency?: number
  readonly compress?: CompressMode
  readonly maxErrors?: MaxErrors
  /** Files. */
  readonly rejects?: string
  readonly retry?: string
  readonly receipt?: string
  /** Reads everything and sends nothing. */
  readonly check?: boolean
  /** Reads everything and tells what would be sent. */
  readonly dryRun?: boolean
  /** Reads what is written to the files until it is interrupted. */
  readonly follow?: boolean
  /** A file to keep it in; false for none at all. */
  readonly checkpoint?: string | false
}

/** Whether batches are packed on their way. */
export type CompressMode = 'auto' | 'gzip' | 'none'

type Labels = Readonly<Record<string, string>>

/** `-l name=value`, any number of times. */
export function labelOption(): Option {
  return new Option(
    '-l, --label <name=value>',
    'a field that is added to each event, any number of times',
  ).argParser((text: string, before: Labels | undefined): Labels => ({ ...before, ...label(text) }))
}

function label(text: string): Labels {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name !== undefined) return { [name.trim()]: value }
  throw new UsageError(`\`--label\` takes a name and a value, \`name=value\`, not \`${text}\`.`)
}

/** An option that takes the names of columns, with commas between them. */
export function csvFieldsOption(flags: string): Option {
  const option = new Option(flags, 'the columns of CSV that has no header line: a,b,c')
  return option.argParser((value: string): readonly string[] => {
    const names = value.split(',').map((name) => name.trim())
    if (names.includes('')) {
      throw new UsageError(
        `\`${option.long}\` takes names with commas between them, not \`${value}\`.`,
      )
    }
    const twice = names.find((name, i) => names.indexOf(name) < i)
    if (twice === undefined) return names
    throw new UsageError(`\`${option.long}\` names the column \`${twice}\` twice.`)
  })
}

/** An option that takes what stands between the columns. */
export function delimiterOption(flags: string): Option {
  const option = new Option(flags, 'what stands between the columns of CSV; `\\t` is a tab (,)')
  return option.argParser((value: string) => {
    const delimiter = value === '\\t' ? '\t' : value
    if (/^[\t\u0020-\u0021\u0023-\u007e]$/.test(delimiter)) return delimiter
    throw new UsageError(
      `\`${option.long}\` takes one character of ASCII that is no quote, such as \`;\` or \`\\t\`, not \`${value}\`.`,
    )
  })
}

/** How batches are packed on their way; undefined when they go as they are. */
export function compressionOf(
  settings: Pick<Settings, 'url' | 'ingestUrl'>,
  compress: CompressMode = 'auto',
): WireCompression | undefined {
  return isCompressed(settings, compress) ? new WireCompression() : undefined
}

function isCompressed(
  { url, ingestUrl }: Pick<Settings, 'url' | 'ingestUrl'>,
  compress: CompressMode,
): boolean {
  if (url === undefined || compress === 'none') return false
  // On its way within this machine a packed body only costs time.
  return compress === 'gzip' || !isLoopback(new URL(ingestUrl ?? url).hostname)
}

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
  if (looks !== undefined) checkPreview(looks, options)
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
function checkPreview(flag: '--check' | '--dry-run', options: IngestOptions): void {
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
