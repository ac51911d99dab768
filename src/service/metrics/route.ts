import type { ServiceResponse } from '../http.js'
import type { Call, Service } from '../route.js'
import { CONTENT_TYPE, metricsText } from './text.js'

/** `GET /metrics`: what the service counts, as Prometheus reads it. */
export async function metrics(_: Call, service: Service): Promise<ServiceResponse> {
  const headers = { 'content-type': CONTENT_TYPE }
  return { status: 200, headers, body: metricsText(service.metrics.families()) }
}
