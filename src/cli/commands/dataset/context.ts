import type { Connection } from '../../../client/connection.js'
import type { ManagedDatasets } from '../../../client/datasets.js'
import type { Context } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import { EXIT } from '../../exit-code.js'
import type { Settings } from '../../settings/settings.js'
import { confirm } from '../../terminal/confirm.js'

export interface DatasetContext {
  readonly context: Context
  readonly settings: Settings
  readonly connection: Connection
  readonly datasets: ManagedDatasets
  readonly signal: AbortSignal
}

export interface ConfirmFlags {
  readonly yes?: boolean
}

/** True when the user can be asked. */
export function isOnTerminal({ context: { io } }: DatasetContext): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true
}

/** True when the user confirms with `--yes` or on the terminal. Throws a `UsageError` without `--yes` and without a terminal. */
export async function isConfirmed(
  command: string,
  { flags, question }: { readonly flags: ConfirmFlags; readonly question: () => Promise<string> },
  found: DatasetContext,
): Promise<boolean> {
  if (flags.yes) return true
  // Fails for an unknown dataset before anything else is asked for.
  const text = await question()
  if (!isOnTerminal(found)) {
    throw new UsageError(
      `\`${command}\` requires \`--yes\` when there is no terminal to ask for confirmation.`,
    )
  }
  const { context, signal } = found
  if (await confirm(text, { io: context.io, signal })) return true
  context.info('Nothing was deleted.')
  context.finish(EXIT.failed)
  return false
}
