import { EXIT, type ExitCode } from '../../exit-code.js'
import { counted } from '../../option/quantity.js'
import type { DatasetContext } from './context.js'
import { forgetCheckpoints } from './forget-checkpoints.js'
import { isMeant, type MeantFlags } from './meant.js'

/** `evq dataset delete`: deletes a dataset, when that is meant. */
export async function deleteDataset(
  name: string,
  flags: MeantFlags,
  found: DatasetContext,
): Promise<ExitCode> {
  const { datasets, context, deployment } = found
  const events = async () => counted((await datasets.info(name)).numEvents, 'event')
  const question = async () => `Delete \`${name}\` with ${await events()} from ${deployment}?`
  if (!(await isMeant('evq dataset delete', { flags, question }, found))) return EXIT.failed
  const deleted = await events()
  await datasets.remove(name)
  await forgetCheckpoints(name, found)
  context.say(`${name}: deleted, with ${deleted}`)
  return EXIT.done
}
