import { formatQuery } from '../../apl/syntax/format.js'
import { parse, wholeQuery } from '../../apl/syntax/parser.js'
import { EngineError } from '../../engine/engine.js'
import { type Sql, sql, text } from '../../sql/sql.js'
import type { AplCheck } from '../../wire/http/check.js'
import { json } from '../http.js'
import type { Handler, Service } from '../route.js'
import { prepareQuery } from './prepare.js'
import { readAplRequest } from './query.js'

/** `POST /v1/datasets/_apl/check`: compiles a query without running it. Hosted services have no such endpoint. */
export const check: Handler = async ({ request }, service) => {
  const aplRequest = await readAplRequest(request)
  const { compiled } = prepareQuery(aplRequest, service)
  const hasInput = service.inputs?.main !== undefined
  const tree = wholeQuery(parse(aplRequest.apl, { hasInput }))
  const result: AplCheck = {
    columns: compiled.columns.map(({ name, wireType }) => ({ name, type: wireType || 'dynamic' })),
    apl: tree === undefined ? aplRequest.apl : formatQuery(tree),
    sql: await laidOut(compiled.statement, service),
  }
  return json(200, result)
}

async function laidOut(statement: Sql, { store, limits }: Service): Promise<string> {
  try {
    const { columns } = await store.read(
      sql`SELECT formatQuery(${text(statement.text)}) AS laidOut`,
      {
        timeoutMs: limits.queryTimeoutMs,
        memoryBytes: limits.queryMemoryBytes,
      },
    )
    const [written = statement.text] = JSON.parse(columns.get('laidOut') ?? '[]') as string[]
    return written
  } catch (error) {
    // A statement that is too deeply nested to be formatted may still run.
    if (error instanceof EngineError) return statement.text
    throw error
  }
}
