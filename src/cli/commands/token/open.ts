import type { Tokens } from '../../../service/auth/tokens.js'
import { clock } from '../../clock.js'
import type { Context } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import { type ClickHouseFlags, clickHouseOptions } from '../../settings/clickhouse.js'
import { dataDirectory } from '../../settings/settings.js'

/** Does work on the tokens of the data directory, or on those in ClickHouse. */
export async function withTokens<Result>(
  { flags, io }: Context,
  clickHouse: ClickHouseFlags,
  work: (tokens: Tokens) => Promise<Result>,
): Promise<Result> {
  const options = await clickHouseOptions(clickHouse, io.env)
  if (options !== undefined) {
    const { withSharedTokens } = await import('../../../local/shared-tokens.js')
    return await withSharedTokens(options, clock(io), work)
  }
  const { openTokens } = await import('../../../service/auth/tokens.js')
  const { tokenFile } = await import('../../../local/token-file.js')
  const { isServedElsewhere } = await import('../../../local/service-id.js')
  const directory = dataDirectory(flags(), io.env)
  if (await isServedElsewhere(directory)) {
    throw new UsageError(
      `The service on \`${directory}\` keeps its tokens in ClickHouse: \`--clickhouse <url>\` says where, as it does to \`evq serve\`.`,
    )
  }
  return await work(openTokens(tokenFile(directory), clock(io)))
}

/** Whether somebody gave a token itself where its name belongs; it must not be repeated on a screen. */
export function isTokenText(text: string): boolean {
  return /^xa[ap]t-/i.test(text)
}
