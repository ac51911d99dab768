import { Option } from 'commander'
import { UsageError } from '../../../error/usage-error.js'

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
