import { listStarredQueries, starredQueries } from '../../../client/starred.js'
import { datasetNameError, isDatasetName } from '../../../wire/http/dataset-name.js'
import type { StoredStarredQuery } from '../../../wire/http/starred.js'
import { UsageError } from '../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { clock } from '../../io.js'
import { counted } from '../../option/quantity.js'
import { renameCheckpoints } from './checkpoints.js'
import type { DatasetContext } from './context.js'

/** `evq dataset rename`: renames a dataset with its tokens and checkpoints, and lists the saved queries that name it. */
export async function renameDataset(
  name: string,
  to: string,
  found: DatasetContext,
): Promise<ExitCode> {
  if (!isDatasetName(to)) throw new UsageError(datasetNameError(to))
  const { datasets, context, connection, signal } = found
  const tokens = await datasets.rename(name, to)
  await renameCheckpoints(name, to, found)
  const also = tokens === 0 ? '' : `, also in ${counted(tokens, 'token')}`
  context.info(`${name}: renamed to ${to}${also}`)
  const saved = await listStarredQueries(starredQueries(connection, signal), { qs: name })
  const { sourcesOf } = await import('../../../apl/language.js')
  const now = clock(context.io)()
  const isNamedIn = ({ query: { apl }, dataset }: StoredStarredQuery): boolean =>
    dataset === name || sourcesOf(apl, { now }).datasets.includes(name)
  for (const query of saved.filter(isNamedIn)) {
    context.warn(
      `The saved query \`${query.name}\` (${query.id}) still names \`${name}\`; \`evq starred update\` changes it.`,
    )
  }
  return EXIT.done
}
