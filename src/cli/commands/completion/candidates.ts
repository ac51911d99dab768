import type { Argument, Command, Option } from 'commander'
import { ChoiceOption } from '../../option/option.js'
import { allOptions } from '../../option/rare.js'

/** The candidates for a position of the command line: words, or a kind of name to look up. */
type Candidates =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  | { readonly kind: LookupKind; readonly prefix: string; readonly before: string }

/** The kinds of names that the command tree does not know. */
export type LookupKind =
  | 'files'
  | 'datasets'
  | 'profiles'
  | 'saved queries'
  | 'tokens'
  | 'zones'
  | 'shells'
  | 'formats'
  | 'topics'

export interface Candidate {
  readonly word: string
  readonly about: string
}

const NOTHING: Candidates = { kind: 'words', words: [] }

/**
 * Returns the candidates for the last word of a command line, which is given without the program's name, and the values of the
 * options that precede it, by attribute name.
 */
export function complete(program: Command, words: readonly string[]) {
  const values: Record<string, string> = {}
  let command = program
  let operands = 0
  let waiting: Option | undefined
  let isAfterOptions = false
  for (const word of words.slice(0, -1)) {
    if (waiting !== undefined) {
      values[waiting.attributeName()] = word
      waiting = undefined
    } else if (isAfterOptions || !isFlag(word)) {
      const child = operands === 0 ? command.commands.find((one) => one.name() === word) : undefined
      if (child === undefined) operands += 1
      else command = child
    } else if (word === '--') isAfterOptions = true
    else {
      const [name = '', value] = parts(word)
      const option = optionNamed(name, command)
      if (option === undefined || option.isBoolean()) continue
      if (value === undefined) waiting = option.required || option.optional ? option : undefined
      else values[option.attributeName()] = value
    }
  }
  const place = { command, operands, waiting, isAfterOptions }
  return { candidates: candidatesOf(words.at(-1) ?? '', place), values }
}

interface WordPosition {
  readonly command: Command
  readonly operands: number
  /** The option that takes the last word as its value. */
  readonly waiting: Option | undefined
  readonly isAfterOptions: boolean
}

function candidatesOf(last: string, place: WordPosition): Candidates {
  const { command, operands, waiting, isAfterOptions } = place
  if (waiting !== undefined) return valuesOf(waiting, last)
  if (last.startsWith('-') && !isAfterOptions) {
    const [name = '', value] = parts(last)
    if (value === undefined) return flagsOf(command, last)
    const option = optionNamed(name, command)
    return option === undefined ? NOTHING : valuesOf(option, value, `${name}=`)
  }
  if (command.commands.length > 0 && operands === 0) {
    const children = command.commands.map((child) => ({
      word: child.name(),
      about: child.summary(),
    }))
    return { kind: 'words', words: startingWith(children, last) }
  }
  const { registeredArguments } = command
  const variadic = registeredArguments.find(({ variadic }) => variadic)
  return valuesOf(registeredArguments[operands] ?? variadic, last)
}

function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}

/** Splits `--name=value`. */
function parts(word: string): readonly string[] {
  const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  return value === undefined ? [name] : [name, value]
}

/** Returns the options of a command, followed by the shared ones. */
function optionsOf(command: Command): readonly Option[] {
  const shared = command.parent === null ? [] : optionsOf(command.parent)
  return [...allOptions(command), ...shared]
}

function optionNamed(name: string, command: Command): Option | undefined {
  return optionsOf(command).find(({ long, short }) => long === name || short === name)
}

function flagsOf(command: Command, prefix: string): Candidates {
  const flags = optionsOf(command).map(({ long, short, description }) => ({
    word: long ?? short ?? '',
    about: description,
  }))
  const unique = flags.filter(({ word }, i) => flags.findIndex((one) => one.word === word) === i)
  return { kind: 'words', words: startingWith(unique, prefix) }
}

/** The kind of a value by its name in the help. */
const KIND_OF_VALUE: Readonly<Record<string, LookupKind>> = {
  file: 'files',
  directory: 'files',
  dataset: 'datasets',
  profile: 'profiles',
  zone: 'zones',
}

const KIND_OF_ARGUMENT: typeof KIND_OF_VALUE = {
  ...KIND_OF_VALUE,
  'dataset or apl': 'datasets',
  'file or apl': 'files',
  id: 'saved queries',
  'id or name': 'saved queries',
  'name or id': 'tokens',
  shell: 'shells',
  format: 'formats',
  topic: 'topics',
}

/** Returns the candidates for a value; `before` is the part of the word in front of the value. */
function valuesOf(taker: Option | Argument | undefined, prefix: string, before = ''): Candidates {
  if (taker === undefined) return NOTHING
  if (taker instanceof ChoiceOption) {
    const words = taker.words.map((word) => ({ word, about: '' }))
    return { kind: 'words', words: withPrefix(before, startingWith(words, prefix)) }
  }
  const kind = kindOf(taker)
  return kind === undefined ? NOTHING : { kind, prefix, before }
}

function kindOf(taker: Option | Argument): LookupKind | undefined {
  if (!('flags' in taker)) return KIND_OF_ARGUMENT[taker.name()]
  const { long, flags } = taker
  if (long === '--profile' || long === '--dataset') return KIND_OF_VALUE[long.slice(2)]
  // For example `file` in `--out <file>`.
  return KIND_OF_VALUE[/<([^>]+)>/.exec(flags)?.[1] ?? '']
}

export function startingWith(words: readonly Candidate[], prefix: string): readonly Candidate[] {
  return words.filter(({ word }) => word.startsWith(prefix))
}

export function withPrefix(before: string, words: readonly Candidate[]): readonly Candidate[] {
  return words.map(({ word, about }) => ({ word: before + word, about }))
}
