import { UsageError } from '../../error/usage-error.js'
import { confirm } from '../../terminal/confirm.js'
import type { DatasetContext } from './context.js'

export interface MeantFlags {
  readonly yes?: boolean
}

/** Whether what can't be undone is meant: `--yes` says so, or who sits at the terminal. */
export async function isMeant(
  command: string,
  { flags, question }: { readonly flags: MeantFlags; readonly question: () => Promise<string> },
  { context: { io, say }, signal }: DatasetContext,
): Promise<boolean> {
  if (flags.yes) return true
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) {
    throw new UsageError(`Where there is no terminal to ask on, \`${command}\` takes \`--yes\`.`)
  }
  if (await confirm(await question(), { io, signal })) return true
  say('Nothing was deleted.')
  return false
}
