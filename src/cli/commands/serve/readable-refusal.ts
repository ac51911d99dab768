import type { Refusal } from '../../../service/auth/audit.js'

/** `refused POST /v1/ingest/web to ci from 192.0.2.7: The token … (request 5f1c…)` */
export function readableRefusal(refusal: Refusal): string {
  const { traceId, token = 'nobody known', remoteAddress, method, path, reason } = refusal
  const from = remoteAddress === undefined ? '' : ` from ${remoteAddress}`
  return `refused ${method} ${path} to ${token}${from}: ${reason} (request ${traceId})`
}
