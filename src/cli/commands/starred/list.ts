import { listStarredQueries } from '../../../client/starred.js'
import { formatInteger } from '../../../text/integer.js'
import type { StarredFilter } from '../../../wire/http/starred.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import type { PrintFlags } from '../../output/flags.js'
import { printList } from '../../terminal/listing.js'
import type { StarredContext } from './run.js'

/** `evq starred list`: one row per saved query. */
export async function listStarred(
  { limit, dataset, who, qs, ...print }: StarredFilter & PrintFlags,
  { queries, context }: StarredContext,
): Promise<ExitCode> {
  const found = await listStarredQueries(queries, { limit, dataset, who, qs })
  const column = (name: string, values: readonly unknown[], type = 'string') => ({
    name,
    type,
    values,
    isSpare: name === 'dataset' || name === 'who',
  })
  await printList(
    [
      column(
        'id',
        found.map(({ id }) => id),
        'id',
      ),
      column(
        'name',
        found.map(({ name }) => name),
      ),
      column(
        'dataset',
        found.map((query) => query.dataset ?? null),
      ),
      column(
        'who',
        found.map((query) => query.who),
      ),
      column(
        'apl',
        found.map(({ query }) => query.apl),
      ),
    ],
    context,
    print,
  )
  context.info(
    found.length === 1 ? '1 saved query' : `${formatInteger(found.length)} saved queries`,
  )
  return EXIT.done
}
