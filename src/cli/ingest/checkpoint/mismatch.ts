import { STANDARD_INPUT } from '../../../input/error.js'
import { UsageError } from '../../error/usage-error.js'
import type { Head } from './entry.js'

export type Destination = Pick<Head, 'deployment' | 'dataset'>

export function isSameDestination(one: Destination, other: Destination): boolean {
  return one.deployment === other.deployment && one.dataset === other.dataset
}

/** Throws a `UsageError` when a checkpoint belongs to another deployment or dataset. */
export function checkDestination(known: Head, head: Destination, path: string): void {
  if (isSameDestination(known, head)) return
  throw new UsageError(
    `\`${path}\` is the checkpoint of another destination: dataset \`${known.dataset}\` at ${known.deployment}.`,
  )
}

/** Returns the error for a checkpoint of another input, whose position would be lost. */
export function otherInput(known: Head, head: Pick<Head, 'input'>, path: string): UsageError {
  const [before, now] = [known.input, head.input].map(inputText)
  return new UsageError(
    `\`${path}\` is the checkpoint of ${before}, and ${now} has other content. Nothing was sent. Each input needs a \`--checkpoint\` file of its own; without the flag, files have automatic checkpoints.`,
  )
}

/** Throws a `UsageError` when the options differ from the options in the checkpoint: events would be stored in two ways. */
export function checkOptions(known: Head, head: Pick<Head, 'input' | 'options'>): void {
  const name = differingOption(known.options, head.options)
  if (name === undefined) return
  const [before, now] = [known.options[name], head.options[name]].map(valueText)
  throw new UsageError(
    `\`${head.input}\` was sent with ${flagText(name, before)} before, ${now === undefined ? 'and now without it' : `not with ${flagText(name, now)}`}. ${sendAgainHelp(head.input)}`,
  )
}

/** Returns the flag of the first option that differs; `undefined` when all are equal. */
export function differingOption(
  known: Head['options'],
  options: Head['options'],
): string | undefined {
  const names = new Set([...Object.keys(known), ...Object.keys(options)])
  return [...names].find((name) => valueText(known[name]) !== valueText(options[name]))
}

export function sendAgainHelp(input: string): string {
  // The checkpoint of standard input does not identify the input.
  if (input === STANDARD_INPUT) return '`--no-checkpoint` sends it again from the beginning.'
  return '`--replace` removes the events stored then and sends it again; `--no-checkpoint` sends it again without removing them.'
}

function inputText(input: string): string {
  return input === STANDARD_INPUT ? input : `\`${input}\``
}

function flagText(name: string, value: string | undefined): string {
  if (value === undefined) return `no \`${name}\``
  return value === 'true' ? `\`${name}\`` : `\`${name} ${value}\``
}

function valueText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
