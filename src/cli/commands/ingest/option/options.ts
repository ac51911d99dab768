import { Option } from 'commander'
import { WireCompression } from '../../../../client/wire-compression.js'
import type { Format } from '../../../../input/format.js'
import { UsageError } from '../../../error/usage-error.js'
import { isLoopback } from '../../../settings/address.js'
import type { Settings } from '../../../settings/settings.js'
import type { MostErrors } from '../send/error-limit.js'

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
  readonly compress?: Compress
  readonly maxErrors?: MostErrors
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
export type Compress = 'auto' | 'gzip' | 'none'

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
  compress: Compress = 'auto',
): WireCompression | undefined {
  return isPacked(settings, compress) ? new WireCompression() : undefined
}

function isPacked(
  { url, ingestUrl }: Pick<Settings, 'url' | 'ingestUrl'>,
  compress: Compress,
): boolean {
  if (url === undefined || compress === 'none') return false
  // On its way within this machine a packed body only costs time.
  return compress === 'gzip' || !isLoopback(new URL(ingestUrl ?? url).hostname)
}
