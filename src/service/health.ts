import type { ServiceResponse } from './http.js'
import { json } from './json-response.js'

/** `GET /healthz`: the process answers. */
export async function alive(): Promise<ServiceResponse> {
  return json(200, { status: 'ok' })
}

/** `GET /readyz`: requests are carried out; there is no listener before the store is open. */
export async function ready(): Promise<ServiceResponse> {
  return json(200, { status: 'ready' })
}
