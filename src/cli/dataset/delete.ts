import { confirm } from '../confirm.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { counted } from '../quantity.js'
import { UsageError } from '../usage-error.js'
import type { DatasetContext } from './context.js'
import { forgetCheckpoints } from './forget-checkpoints.js'

export interface DeleteFlags {
  readonly yes?: boolean
}

/** `evq dataset delete`: deletes a dataset, when that is meant. */
export async function deleteDataset(
  name: string,
  { yes }: DeleteFlags,
  found: DatasetContext,
): Promise<ExitCode> {
  const { datasets, context, deployment, signal } = found
  const { io, say } = context
  const canAsk = io.stdin.isTTY === true && io.stderr.isTTY === true
  if (!yes && !canAsk) {
    throw new UsageError(
      'Where there is no terminal to ask on, `evq dataset delete` takes `--yes`.',
    )
  }
  const { numEvents } = await datasets.info(name)
  const events = counted(numEvents, 'event')
  const question = `Delete \`${name}\` with ${events} from ${deployment}?`
  if (!yes && !(await confirm(question, { io, signal }))) {
    say('Nothing was deleted.')
    return EXIT.failed
  }
  await datasets.remove(name)
  await forgetCheckpoints(name, found)
  say(`${name}: deleted, with ${events}`)
  return EXIT.done
}
