import { listStarredQueries } from '../../../client/starred.js'
import { formatInteger } from '../../../text/integer.js'
import type { StarredFilter, StoredStarredQuery } from '../../../wire/http/starred.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import type { PrintFlags } from '../../output/flags.js'
import { type ListColumn, printList } from '../../terminal/listing.js'
import type { StarredContext } from './run.js'

/** `evq starred list`: one row per saved query. */
export async function listStarred(
  { limit, dataset, who, qs, ...print }: StarredFilter & PrintFlags,
  { queries, context }: StarredContext,
): Promise<ExitCode> {
  const rows = await listStarredQueries(queries, { limit, dataset, who, qs })
  const columns: readonly ListColumn<StoredStarredQuery>[] = [
    { name: 'id', type: 'id', of: ({ id }) => id },
    { name: 'name', of: ({ name }) => name },
    { name: 'dataset', of: (query) => query.dataset, isSpare: true },
    { name: 'who', of: (query) => query.who, isSpare: true },
    { name: 'apl', of: ({ query }) => query.apl },
  ]
  await printList({ rows, columns }, context, print)
  context.info(rows.length === 1 ? '1 saved query' : `${formatInteger(rows.length)} saved queries`)
  return EXIT.done
}
