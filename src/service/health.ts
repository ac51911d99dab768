import { json, type ServiceResponse } from './http.js'
import type { Call, Service } from './route.js'

/** `GET /healthz`: the process is alive. */
export async function alive(): Promise<ServiceResponse> {
  return json(200, { status: 'ok' })
}

/** `GET /readyz`: requests can be handled. The listener starts after the store is open, so this is always true. */
export async function ready(): Promise<ServiceResponse> {
  return json(200, { status: 'ready' })
}

/** `GET /ready`: the same for clients of Loki. */
export async function readyText(): Promise<ServiceResponse> {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ready\n' }
}

/** `GET /metrics`: the metrics of the service in the Prometheus text format. */
export async function metrics(_: Call, service: Service): Promise<ServiceResponse> {
  const { contentType, text } = await service.metrics.text()
  return { status: 200, headers: { 'content-type': contentType }, body: text }
}
