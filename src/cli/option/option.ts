// How the values of flags are read, for every command.
import { Option } from 'commander'
import { formatInteger } from '../../text/integer.js'
import { closest } from '../../text/suggest.js'
import { UsageError } from '../error/usage-error.js'

/** An option that takes one of a few words. They are no choices of commander's, which words mistakes its own way. */
export class ChoiceOption extends Option {
  readonly words: readonly string[]

  constructor(flags: string, description: string, words: readonly string[]) {
    super(flags, description)
    this.words = words
  }
}

/** An option that takes one of a few words; `known` are all that the command has something to say about. */
export function choiceOption(
  flags: string,
  description: string,
  choices: readonly string[],
  known = choices,
): Option {
  const option = new ChoiceOption(flags, description, choices)
  return option.argParser((value: string) => {
    if (known.includes(value)) return value
    const near = closest(value, choices)
    const help = near === undefined ? `It takes ${choices.join(', ')}.` : `Near: \`${near}\`.`
    throw new UsageError(`\`${option.long}\` does not know \`${value}\`. ${help}`)
  })
}

/** An option that takes a whole number from 1, and none above `most`. */
export function countOption(
  flags: string,
  description: string,
  { most = Number.MAX_SAFE_INTEGER }: { readonly most?: number } = {},
): Option {
  const option = new Option(flags, description)
  return option.argParser((value: string) => {
    const count = Number(value.replaceAll('_', ''))
    const isCount = Number.isSafeInteger(count) && count >= 1 && /^[\d_]+$/.test(value)
    if (isCount && count <= most) return count
    const to = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${formatInteger(most)}`
    throw new UsageError(`\`${option.long}\` takes a whole number from 1${to}, not \`${value}\`.`)
  })
}

/** How an option that may stand several times gathers what it is given. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** Other names that an option is also known by; the help leaves them out. */
export function hiddenOptions(...flags: readonly string[]): readonly Option[] {
  return flags.map((flag) => new Option(flag).hideHelp())
}
