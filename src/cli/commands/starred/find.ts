import { ApiError } from '../../../client/error.js'
import { listStarredQueries, type StarredQueries } from '../../../client/starred.js'
import { suggestion } from '../../../text/suggest.js'
import type { StoredStarredQuery } from '../../../wire/http/starred.js'
import { CommandError } from '../../error/command-error.js'
import { UsageError } from '../../error/usage-error.js'

/** The statuses of responses for an id that no saved query has; some services check the form of the id first. */
const NOT_AN_ID = [400, 404, 422]

/** Returns the saved query with an id or a name. Throws an error when no saved query has it, or several have the name. */
export async function findStarred(
  queries: StarredQueries,
  idOrName: string,
): Promise<StoredStarredQuery> {
  try {
    return await queries.get(idOrName)
  } catch (error) {
    if (!(error instanceof ApiError) || !NOT_AN_ID.includes(error.status)) throw error
    const all = await listStarredQueries(queries)
    // A deployment may list saved queries, but not return one.
    const named = all.filter(({ id, name }) => name === idOrName || id === idOrName)
    const [found, ...others] = named
    if (found !== undefined && others.length === 0) return found
    throw found === undefined ? unknown(idOrName, all) : ambiguous(idOrName, named)
  }
}

function unknown(wanted: string, all: readonly StoredStarredQuery[]): CommandError {
  const names = all.map(({ name }) => name)
  const help = suggestion(wanted, names, '`evq starred list` prints the ids and names.')
  return new CommandError(`No saved query has the id or the name \`${wanted}\`. ${help}`)
}

function ambiguous(wanted: string, named: readonly StoredStarredQuery[]): UsageError {
  const ids = named.map(({ id }) => `\`${id}\``).join(', ')
  return new UsageError(
    `${named.length} saved queries have the name \`${wanted}\`. Use one of their ids: ${ids}.`,
  )
}
