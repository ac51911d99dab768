import { isDeepStrictEqual } from 'node:util'
import { inputLabel } from '../../../input/error.js'
import { formatOption } from '../../../input/format.js'
import type { TextLayout } from '../../../input/log/text-layout.js'
import type { ReadOptions } from '../../../input/read-options.js'
import { UsageError } from '../../error/usage-error.js'
import type { Checkpoint } from '../checkpoint/checkpoint.js'
import type { Beginning } from '../checkpoint/entry.js'
import { sendAgainHelp } from '../checkpoint/mismatch.js'

/**
 * Returns the options with which earlier runs read an input, so that the rest is read in the same way. Throws a `UsageError` when `-i`
 * names another format.
 */
export function earlierReading(
  { opened, state: { known } }: Checkpoint,
  read: ReadOptions,
): Partial<ReadOptions> {
  if (known === undefined) return {}
  const { layout, mapping = {} } = known
  const format = formatOption(known.format)
  if (!hasOtherFormat(known, read)) return { format, layout, mapping }
  const earlier = customOf(layout?.format)?.name ?? format
  throw new UsageError(
    `${inputLabel(opened.name)} was sent as \`${earlier}\` before, not as \`-i ${read.lineFormat?.name ?? read.format}\`. ${sendAgainHelp(opened.name)}`,
  )
}

/** True when `-i` names a different format than the format in which the input was read before. */
export function hasOtherFormat(
  known: Beginning | undefined,
  { format = 'auto', lineFormat }: ReadOptions,
): boolean {
  if (known === undefined || format === 'auto') return false
  const isInContainer = lineFormat?.isCustom && ['cri', 'docker'].includes(known.format)
  if (format !== formatOption(known.format) && !isInContainer) return true
  const [before, named] = [known.layout?.format, lineFormat].map(customOf)
  return known.layout !== undefined && !isDeepStrictEqual(before?.patterns, named?.patterns)
}

/** Returns a format if the user defined it. */
function customOf(format: TextLayout['format']): TextLayout['format'] {
  return format?.isCustom ? format : undefined
}
