import type { Argument, Command, Option } from 'commander'
import { ChoiceOption } from '../option.js'

/** What may stand in a place of the command line. */
export type Candidates =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  | { readonly kind: 'files' | 'datasets' | 'profiles' | 'shells'; readonly prefix: string }

/** A word that may stand there, and what it means. */
export interface Candidate {
  readonly word: string
  readonly about: string
}

/** What the words before the last one say, and what the last one may become. */
export interface Completion {
  readonly candidates: Candidates
  /** The values of the options that stand there, by their names in code. */
  readonly values: Readonly<Record<string, string>>
}

const NOTHING: Candidates = { kind: 'words', words: [] }

/** Reads the words of a command line, without its first, as the command tree would; the last may be half a word. */
export function complete(program: Command, words: readonly string[]): Completion {
  const values: Record<string, string> = {}
  let command = program
  let operands = 0
  let waiting: Option | undefined
  let isAfterOptions = false
  const written = joined(words)
  for (const word of written.slice(0, -1)) {
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
      if (value === undefined) waiting = takesValue(option) ? option : undefined
      else values[option.attributeName()] = value
    }
  }
  const last = written.at(-1) ?? ''
  const place = {
    command,
    operands,
    waiting,
    isAfterOptions,
    isSplit: words.at(-2) === '=' || words.at(-1) === '=',
  }
  return { candidates: candidatesOf(last, place), values }
}

interface Place {
  readonly command: Command
  readonly operands: number
  /** The option whose value the last word is. */
  readonly waiting: Option | undefined
  readonly isAfterOptions: boolean
  /** Whether the shell takes `--name=value` for three words and completes the third. */
  readonly isSplit: boolean
}

function candidatesOf(last: string, place: Place): Candidates {
  const { command, operands, waiting, isAfterOptions, isSplit } = place
  if (waiting !== undefined) return valuesOf(waiting, last)
  if (last.startsWith('-') && !isAfterOptions) {
    const [name = '', value] = parts(last)
    if (value === undefined) return flagsOf(command, last)
    const option = optionNamed(name, command)
    if (option === undefined) return NOTHING
    const found = valuesOf(option, value)
    if (isSplit || found.kind !== 'words') return found
    return {
      kind: 'words',
      words: found.words.map((one) => ({ ...one, word: `${name}=${one.word}` })),
    }
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

/** Bash takes `=` for a word of its own. */
function joined(words: readonly string[]): readonly string[] {
  const found: string[] = []
  for (const [index, word] of words.entries()) {
    const isPart = word === '=' || words[index - 1] === '='
    if (isPart && isFlag(found.at(-1) ?? '')) found.push(`${found.pop()}${word}`)
    else found.push(word)
  }
  return found
}

function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}

/** `--name=value`. */
function parts(word: string): readonly string[] {
  const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  return value === undefined ? [name] : [name, value]
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

/** A command's own options first, then those that it shares with all. */
function optionsOf(command: Command): readonly Option[] {
  const shared = command.parent === null ? [] : optionsOf(command.parent)
  return [...command.createHelp().visibleOptions(command), ...shared]
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

/** What the name of a value says that it is. */
const KIND_OF_VALUE: Readonly<Record<string, Exclude<Candidates['kind'], 'words'>>> = {
  file: 'files',
  shell: 'shells',
  directory: 'files',
  dataset: 'datasets',
  'dataset or apl': 'datasets',
  profile: 'profiles',
}

function valuesOf(taker: Option | Argument | undefined, prefix: string): Candidates {
  if (taker === undefined) return NOTHING
  if (taker instanceof ChoiceOption) {
    const words = taker.words
    return {
      kind: 'words',
      words: startingWith(
        words.map((word) => ({ word, about: '' })),
        prefix,
      ),
    }
  }
  const kind = KIND_OF_VALUE[valueName(taker)]
  return kind === undefined ? NOTHING : { kind, prefix }
}

/** `file` in `--out <file>` and in `[file...]`. */
function valueName(taker: Option | Argument): string {
  if ('flags' in taker) {
    if (taker.long === '--profile' || taker.long === '--dataset') return taker.long.slice(2)
    return /<([^>]+)>/.exec(taker.flags)?.[1] ?? ''
  }
  return taker.name()
}

export function startingWith(words: readonly Candidate[], prefix: string): readonly Candidate[] {
  return words.filter(({ word }) => word.startsWith(prefix))
}
