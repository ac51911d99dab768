import type { Option } from 'commander'
import { FORMATS, type Format } from '../../../../input/format.js'
import type { ReadOptions } from '../../../../input/read-options.js'
import { UsageError } from '../../../error/usage-error.js'
import { choiceOption } from '../../../option/option.js'
import type { Environment } from '../../../settings/config.js'
import { lineFormat, savedFormats } from '../../../settings/saved-formats.js'
import type { IngestOptions } from './options.js'

/** `-i <format>`: a format, or the name of a saved one. */
export function inputFormatOption(env: Environment): Option {
  const description = `auto, ${FORMATS.join(', ')}, or the name of a saved format`
  return choiceOption('-i, --input-format <format>', description, () => [
    'auto',
    ...FORMATS,
    ...savedFormats(env).map(({ name }) => name),
  ])
}

/** Returns the options for reading lines: the format that `--parse` or `-i` sets, or the saved ones to detect. */
export function lineFormatOptions(
  { inputFormat = 'auto', parse }: Pick<IngestOptions, 'inputFormat' | 'parse'>,
  env: Environment,
): Pick<ReadOptions, 'format' | 'formats' | 'lineFormat'> {
  if (parse !== undefined) {
    return { format: 'text', lineFormat: lineFormat({ name: '--parse', patterns: parse }) }
  }
  if (inputFormat === 'auto') return { format: 'auto', formats: savedFormats(env) }
  if (isFormat(inputFormat)) return { format: inputFormat }
  const saved = savedFormats(env).find(({ name }) => name === inputFormat)
  if (saved === undefined) throw new UsageError(`There is no format \`${inputFormat}\`.`)
  return { format: 'text', lineFormat: saved }
}

function isFormat(name: string): name is Format {
  return FORMATS.some((format) => format === name)
}
