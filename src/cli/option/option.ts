// Kinds of options that several commands share.
import { Option } from 'commander'
import { formatInteger } from '../../text/integer.js'
import { ownValue } from '../../text/own-value.js'
import { suggestion } from '../../text/suggest.js'
import { UsageError } from '../error/usage-error.js'

/** Words, or a function that looks them up. */
type Choices = readonly string[] | (() => readonly string[])

/** An option that takes one of a few words. Commander's choices are not used, because their errors are worded differently. */
export class ChoiceOption extends Option {
  private readonly source: Choices

  constructor(flags: string, description: string, choices: Choices) {
    super(flags, description)
    this.source = choices
  }

  get words(): readonly string[] {
    return typeof this.source === 'function' ? this.source() : this.source
  }
}

/** Words of other programs for a choice. */
const OTHER_NAMES: Readonly<Record<string, string>> = { jsonl: 'ndjson', md: 'markdown' }

/**
 * Returns an option that takes one of `choices`. Values in `known` are also accepted, so that the command reports them; `hint`
 * follows the list of the choices in the error for any other value.
 */
export function choiceOption(
  flags: string,
  description: string,
  choices: Choices,
  { known, hint }: { known?: readonly string[] | undefined; hint?: string } = {},
): ChoiceOption {
  const option = new ChoiceOption(flags, description, choices)
  return option.argParser((value: string) => {
    const choices = option.words
    if ((known ?? choices).includes(value)) return value
    const list = `It takes ${choices.join(', ')}.`
    const help = suggestion(
      ownValue(OTHER_NAMES, value) ?? value,
      choices,
      hint === undefined ? list : `${list} ${hint}`,
    )
    throw new UsageError(`\`${option.long}\` does not accept \`${value}\`. ${help}`)
  })
}

/** Returns an option that takes a whole number within limits. */
export function countOption(
  flags: string,
  description: string,
  { least = 1, most = Number.MAX_SAFE_INTEGER }: { least?: number; most?: number } = {},
): Option {
  const option = new Option(flags, description)
  return option.argParser((value: string) => {
    const count = Number(value.replaceAll('_', ''))
    const isCount = Number.isSafeInteger(count) && count >= least && /^\d[\d_]*$/.test(value)
    if (isCount && count <= most) return count
    const to = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${formatInteger(most)}`
    throw new UsageError(
      `\`${option.long}\` takes a whole number from ${least}${to}, not \`${value}\`.`,
    )
  })
}

/** Returns an option that takes names separated by commas. */
export function namesOption(flags: string, description: string): Option {
  const option = new Option(flags, description)
  return option.argParser((value: string) => namesIn(value, `${option.long}`))
}

/** Collects the values of an option that may be repeated. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** Returns an option whose value is `name=value`, and which may be repeated. */
export function namedValuesOption(flags: string, description: string): Option {
  const option = new Option(flags, description)
  return option.argParser((text: string, before: Readonly<Record<string, string>> = {}) => {
    const [name, value] = nameAndValue(text, `${option.long}`)
    return { ...before, [name]: value }
  })
}

/** Splits `name=value`, the value of a flag. Throws a `UsageError` for a text without a name. */
export function nameAndValue(text: string, flag: string): readonly [name: string, value: string] {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name !== undefined) return [name.trim(), value]
  throw new UsageError(`\`${flag}\` takes a name and a value, \`name=value\`, not \`${text}\`.`)
}

/** Splits the names in the value of a flag. Throws a `UsageError` for an empty name, and for one that is there twice. */
function namesIn(value: string, flag: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim())
  if (names.includes('')) {
    throw new UsageError(`\`${flag}\` takes names separated by commas, not \`${value}\`.`)
  }
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice === undefined) return names
  throw new UsageError(`\`${flag}\` names \`${twice}\` twice.`)
}

/** Returns the flag of an option by the name that commander gives to its value: `--csv-fields` for `csvFields`. */
export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Returns another name of the option whose value has a name: the help does not list it, and of several values the last one counts. */
export function aliasOption(flags: string, name: string): Option {
  const option = new Option(flags).hideHelp()
  option.attributeName = () => name
  return option
}
