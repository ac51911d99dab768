import type { AplRequest } from '../../wire/http/query.js'
import { readJson } from '../body/json-body.js'
import type { ServiceRequest, ServiceResponse } from '../http.js'
import { jsonText } from '../json-response.js'
import type { Call, Service } from '../route.js'
import { decodeAplRequest } from './apl-request.js'
import { prepareQuery } from './prepare.js'
import { run } from './run.js'
import { type Tabular, tabularJson } from './tabular.js'

/** The longest body of a query: the longest text in its longest form, every character escaped, with room. */
export const BODY_BYTES = 2 * 1024 * 1024

/** `POST /v1/datasets/_apl?format=tabular`: compiles a query, runs it and answers with its rows. */
export async function tabularQuery({ request }: Call, service: Service): Promise<ServiceResponse> {
  const answer = await answerQuery(await readAplRequest(request), {
    service,
    signal: request.signal,
  })
  return jsonText(200, tabularJson(answer))
}

/** Runs a query, from its request to all that an answer tells about it. */
export async function answerQuery(
  asked: AplRequest,
  { service, signal }: { readonly service: Service; readonly signal: AbortSignal },
): Promise<Tabular> {
  const started = process.hrtime.bigint()
  const ready = prepareQuery(asked, service)
  const found = await run(ready.compiled, { ...ready, service, signal })
  const elapsed = (process.hrtime.bigint() - started) / 1_000n
  const layout = (dataset: string) => service.store.layout(dataset)
  return { ...found, ...ready, layout, elapsed: Number(elapsed) }
}

/** The body of a request that asks about a query. */
export async function readAplRequest(request: ServiceRequest): Promise<AplRequest> {
  return decodeAplRequest(await readJson(request, BODY_BYTES))
}
