import { EXIT, type ExitCode } from '../../exit-code.js'
import { counted } from '../../option/quantity.js'
import { removeCheckpoints } from './checkpoints.js'
import { type ConfirmFlags, type DatasetContext, isConfirmed } from './context.js'

/** `evq dataset delete`: deletes a dataset after confirmation. */
export async function deleteDataset(
  name: string,
  flags: ConfirmFlags,
  found: DatasetContext,
): Promise<ExitCode> {
  const { datasets, context, deployment } = found
  const events = async () => counted((await datasets.info(name)).numEvents, 'event')
  const question = async () => `Delete \`${name}\` with ${await events()} from ${deployment}?`
  if (!(await isConfirmed('evq dataset delete', { flags, question }, found))) return EXIT.failed
  const deleted = await events()
  await datasets.remove(name)
  await removeCheckpoints(name, found)
  context.info(`${name}: deleted, with ${deleted}`)
  return EXIT.done
}
