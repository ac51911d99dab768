import type { Option } from 'commander'
import { FORMATS, type Format } from '../../../input/format.js'
import { LINE_FORMATS } from '../../../input/log/format/formats.js'
import type { ReadOptions } from '../../../input/read-options.js'
import { byWord } from '../../../text/by-word.js'
import { ownValue } from '../../../text/own-value.js'
import { closest } from '../../../text/suggest.js'
import { UsageError } from '../../error/usage-error.js'
import { choiceOption } from '../../option/option.js'
import type { Environment } from '../../settings/config.js'
import { lineFormat, savedFormats } from '../../settings/saved-formats.js'

/** Other names of formats. */
const NAMES = byWord<Format>({
  'access apache combined nginx': 'clf',
  iis: 'w3c',
  jsonl: 'ndjson',
})

/** `-i <format>`: a format, a format of log lines, or the name of a saved format. */
export function inputFormatOption(env: Environment, flags = '--input-format <format>'): Option {
  const description = `auto, ${FORMATS.join(', ')}, a format of log lines (see \`evq ingest --formats\`), or the name of a saved format`
  const option = choiceOption(flags, description, () => [
    'auto',
    ...FORMATS,
    ...LINE_FORMATS.map(({ name }) => name),
    ...savedFormats(env).map(({ name }) => name),
  ])
  return option.argParser((name: string) => {
    if (option.words.includes(name)) return name
    const near = ownValue(NAMES, name) ?? closest(name, option.words)
    const help = near === undefined ? '' : ` Did you mean \`${near}\`?`
    throw new UsageError(
      `\`--input-format\` does not accept \`${name}\`.${help} \`evq ingest --formats\` lists the formats.`,
    )
  })
}

/** Returns the options for reading lines: the format that `--parse` or `-i` sets, or else the saved formats to detect. */
export function lineFormatOptions(
  { inputFormat = 'auto', parse }: { inputFormat?: string; parse?: readonly string[] },
  env: Environment,
): Pick<ReadOptions, 'format' | 'formats' | 'lineFormat'> {
  if (parse !== undefined) {
    return { format: 'text', lineFormat: lineFormat({ name: '--parse', patterns: parse }) }
  }
  if (inputFormat === 'auto') return { format: 'auto', formats: savedFormats(env) }
  if (isFormat(inputFormat)) return { format: inputFormat }
  const known = [...savedFormats(env), ...LINE_FORMATS].find(({ name }) => name === inputFormat)
  if (known === undefined) throw new UsageError(`There is no format \`${inputFormat}\`.`)
  return { format: 'text', lineFormat: known }
}

function isFormat(name: string): name is Format {
  return FORMATS.some((format) => format === name)
}
