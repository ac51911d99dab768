import type { Command, Option } from 'commander'
import { UsageError } from '../error/usage-error.js'
import { countOption, namesOption } from '../option/option.js'

export interface AroundFlags {
  readonly afterContext?: number
  readonly beforeContext?: number
  readonly context?: number
  readonly contextBy?: readonly string[]
}

/** The number of events to show before and after each match. */
export interface Around {
  readonly before: number
  readonly after: number
  /** The fields in which the events around a match have the same values as the match. */
  readonly by: readonly string[]
}

/** The maximum number of events before or after a match, which bounds memory and requests. */
const MOST_EVENTS = 1_000

export function addAroundOptions(command: Command): Command {
  return command
    .optionsGroup('Context options:')
    .addOption(
      eventsOption('-A, --after-context <n>', 'also n events that arrived after each match'),
    )
    .addOption(eventsOption('-B, --before-context <n>', 'also n events that arrived before it'))
    .addOption(eventsOption('-C, --context <n>', 'also n events before and n after it'))
    .addOption(
      namesOption(
        '--context-by <names>',
        'only events with the same values in these fields: host,service',
      ),
    )
}

function eventsOption(flags: string, description: string): Option {
  return countOption(flags, description, { least: 0, most: MOST_EVENTS })
}

/** Returns the values of the flags; undefined when no events around matches are requested. */
export function aroundOf(flags: AroundFlags): Around | undefined {
  const { context, contextBy } = flags
  const [before, after] = [flags.beforeContext ?? context, flags.afterContext ?? context]
  if (before === undefined && after === undefined) {
    if (contextBy === undefined) return undefined
    throw new UsageError('`--context-by` requires `-A`, `-B` or `-C`.')
  }
  return { before: before ?? 0, after: after ?? 0, by: contextBy ?? [] }
}
