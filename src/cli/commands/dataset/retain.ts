import { DURATION_SYNTAX, parseDuration } from '../../../wire/time/duration.js'
import { UsageError } from '../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import type { DatasetContext } from './context.js'

/** The value that removes the setting. */
const NEVER = 'never'

/** `evq dataset retain`: sets the maximum age of a dataset's events, or removes it. */
export async function retainDataset(
  name: string,
  duration: string,
  { datasets, context: { info } }: DatasetContext,
): Promise<ExitCode> {
  if (duration !== NEVER && !parseDuration(duration)) {
    throw new UsageError(
      `\`evq dataset retain\` takes ${DURATION_SYNTAX}, or \`never\`, not \`${duration}\`.`,
    )
  }
  await datasets.retain(name, duration === NEVER ? undefined : duration)
  info(
    duration === NEVER
      ? `${name}: events have no maximum age of their own`
      : `${name}: events older than ${duration} are deleted, by a running service or by local commands, at most once an hour`,
  )
  return EXIT.done
}
