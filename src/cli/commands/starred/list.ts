import { formatInteger } from '../../../text/integer.js'
import type { StarredFilter, StoredStarredQuery } from '../../../wire/http/starred.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import type { PrintFlags } from '../../output/flags.js'
import { printList } from '../../terminal/listing.js'
import type { StarredContext } from './run.js'

/** The number of queries to request at once. A service may return fewer, even when there are more. */
const PAGE = 100

/** `evq starred list`: one row per saved query. */
export async function listStarred(
  { limit = Number.POSITIVE_INFINITY, dataset, who, qs, ...print }: StarredFilter & PrintFlags,
  { queries, context }: StarredContext,
): Promise<ExitCode> {
  const filters = { ...(dataset && { dataset }), ...(who && { who }), ...(qs && { qs }) }
  const found: StoredStarredQuery[] = []
  while (found.length < limit) {
    const requested = Math.min(PAGE, limit - found.length)
    const page = await queries.list({ ...filters, limit: requested, offset: found.length })
    // A service that ignores `offset` returns the same queries again.
    const fresh = page.filter(({ id }) => found.every((known) => known.id !== id))
    found.push(...fresh)
    if (fresh.length === 0) break
  }
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
