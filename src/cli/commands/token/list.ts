import type { Grant } from '../../../service/auth/access.js'
import { formatInteger } from '../../../text/integer.js'
import type { Context } from '../../context.js'
import type { PrintFlags } from '../../output/flags.js'
import type { ClickHouseFlags } from '../../settings/clickhouse.js'
import { type ListColumn, printList } from '../../terminal/listing.js'
import { withTokens } from './open.js'

/** `evq token list`: a token a row, by name. */
export async function listTokens(
  flags: PrintFlags & ClickHouseFlags,
  context: Context,
): Promise<void> {
  const all = [...(await withTokens(context, flags, (tokens) => tokens.list()))]
  all.sort((a, b) => (a.name < b.name ? -1 : 1))
  const column = (name: string, values: readonly unknown[], type = 'string'): ListColumn => ({
    name,
    type,
    values: values.map((value) => value ?? null),
    isSpare: name === 'kind' || name === 'created',
  })
  await printList(
    [
      column(
        'name',
        all.map(({ name }) => name),
      ),
      column(
        'kind',
        all.map(({ personal }) => (personal ? 'personal' : 'api')),
      ),
      column('permissions', all.map(permissions)),
      column(
        'created',
        all.map(({ created }) => created),
        'datetime',
      ),
      column(
        'expires',
        all.map(({ expires }) => expires),
        'datetime',
      ),
      column(
        'id',
        all.map(({ id }) => id),
        'id',
      ),
    ],
    context,
    flags,
  )
  context.say(all.length === 1 ? '1 token' : `${formatInteger(all.length)} tokens`)
}

/** What a token allows, as one text: `ingest logs, web; starred read`. */
export function permissions({ personal, organization, ...grant }: Grant): string {
  if (personal) return organization === undefined ? 'everything' : `everything as ${organization}`
  const parts = Object.entries({ ingest: grant.ingest, query: grant.query, starred: grant.starred })
  return parts
    .flatMap(([what, list = []]) => (list.length === 0 ? [] : [`${what} ${list.join(', ')}`]))
    .join('; ')
}
