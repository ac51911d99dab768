import { createCatalog } from '../engine/catalog/catalog.js'
import { createDocuments, documents } from '../engine/catalog/documents.js'
import { tokenDocuments } from '../service/auth/token-documents.js'
import { openTokens, type Tokens } from '../service/auth/tokens.js'
import { type ClickHouseOptions, clickHouseError, openClickHouse } from './clickhouse.js'

/** Opens the tokens that all services in front of one ClickHouse share, for the duration of `work`; no service has to run. */
export async function withSharedTokens<Result>(
  options: ClickHouseOptions,
  now: () => bigint,
  work: (tokens: Tokens) => Promise<Result>,
): Promise<Result> {
  const engine = await openClickHouse(options)
  try {
    await createCatalog(engine)
    await createDocuments(engine)
    return await work(openTokens(tokenDocuments(documents(engine, 'token')), now))
  } catch (error) {
    throw clickHouseError(options, error)
  } finally {
    await engine.close()
  }
}
