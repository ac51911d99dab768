import { json, type ServiceResponse } from '../../http.js'
import { type Route, route } from '../../route.js'
import type { IngestProtocol } from '../protocol.js'
import { ingestRoute } from '../store-events.js'
import { hecEvents, hecRaw } from './hec.js'
import { HecError, hecError, hecResponse } from './status.js'

const BASE = '/services/collector'

export const HEC_ROUTES: readonly Route[] = [
  ...ingest(BASE, hecEvents),
  ...ingest(`${BASE}/event`, hecEvents),
  ...ingest(`${BASE}/event/1.0`, hecEvents),
  ...ingest(`${BASE}/raw`, hecRaw),
  ...ingest(`${BASE}/raw/1.0`, hecRaw),
  route(`GET ${BASE}/health`, 'open', health),
  route(`GET ${BASE}/health/1.0`, 'open', health),
  { ...route(`POST ${BASE}/ack`, 'ingest', acknowledgements), encodeError: hecError },
  { ...route(`POST ${BASE}/ack/1.0`, 'ingest', acknowledgements), encodeError: hecError },
]

/** Docker's logging driver sends `OPTIONS` without a token, and expects 200. */
function ingest(path: string, protocol: IngestProtocol): readonly Route[] {
  return [ingestRoute(`POST ${path}`, protocol), route(`OPTIONS ${path}`, 'open', options)]
}

async function options(): Promise<ServiceResponse> {
  return {
    ...json(200, {}),
    headers: { allow: 'OPTIONS, POST', 'content-type': 'application/json' },
  }
}

/** `GET /services/collector/health`: events are accepted. */
async function health(): Promise<ServiceResponse> {
  return hecResponse(200, 17)
}

/** `POST /services/collector/ack`: events are stored before the response to their request, so there is nothing to acknowledge. */
async function acknowledgements(): Promise<ServiceResponse> {
  throw new HecError(14)
}
