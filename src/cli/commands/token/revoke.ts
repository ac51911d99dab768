import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { UsageError } from '../../error/usage-error.js'
import type { ClickHouseFlags } from '../../settings/clickhouse.js'
import { isTokenText, withTokens } from './open.js'

/** `evq token revoke`: ends the token of a name or id. */
export async function revokeToken(
  nameOrId: string,
  flags: ClickHouseFlags,
  context: Context,
): Promise<void> {
  if (isTokenText(nameOrId)) {
    throw new UsageError('A token is revoked by its name or id: `evq token list` tells them.')
  }
  const ended = await withTokens(context, flags, (tokens) => tokens.revoke(nameOrId))
  if (ended.length === 0) {
    throw new CommandError(
      `There is no token with the name or id \`${nameOrId}\`. \`evq token list\` tells which there are.`,
    )
  }
  for (const { name, id } of ended) context.say(`${name}: revoked (${id})`)
}
