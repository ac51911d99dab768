import { type DegradedShard, degradedShards } from '../engine/replication.js'
import type { Store } from '../engine/store.js'
import { damageText } from './dataset/damage.js'
import { json, plainText, type ServiceResponse } from './http.js'
import { RefusedError, unavailable } from './refused-error.js'
import type { Handler, Service } from './route.js'

/** `GET /healthz`: the process is alive. */
export async function alive(): Promise<ServiceResponse> {
  return json(200, { status: 'ok' })
}

/**
 * `GET /readyz`: requests can be handled, and results are complete. The listener starts after the store is open. In a cluster with
 * replicas, at least one replica of each shard must be in use.
 */
export const ready: Handler = async (_, service) => {
  requireData(service.store)
  const degraded = usableShards(service)
  requireIntactData(service)
  return json(200, {
    status: 'ready',
    ...(degraded.length > 0 && { degradedShards: degraded }),
  })
}

/** `GET /ready`: the same check for clients of Loki. */
export const readyText: Handler = async (call, service) => {
  await ready(call, service)
  return plainText(200, 'ready')
}

/** Returns the degraded shards. Throws a `RefusedError` when a shard has no replica in use. */
function usableShards({ store }: Service): readonly DegradedShard[] {
  const replication = store.replication?.()
  const degraded = replication === undefined ? [] : degradedShards(replication)
  const lost = degraded.filter(({ used }) => used === 0).map(({ shard }) => shard)
  if (lost.length === 0) return degraded
  const shards = lost.length === 1 ? 'shard' : 'shards'
  throw unavailable(`No replica of ${shards} ${lost.join(', ')} is in use.`)
}

/** Throws a `RefusedError` when the data directory was deleted. */
export function requireData(store: Store): void {
  if (!store.isGone()) return
  throw unavailable(
    'The data directory of the service was deleted or replaced. Restore it and restart the service.',
  )
}

/** Throws a `RefusedError` that names the damaged datasets when data is damaged. */
function requireIntactData({ store }: Service): void {
  const { damage } = store
  if (damage.length === 0) return
  throw new RefusedError('unavailable', damage.map(damageText).join(' '))
}

/** `GET /metrics`: the metrics of the service in the Prometheus text format. */
export const metrics: Handler = async (_, service) => {
  const { contentType, text } = await service.metrics.text()
  return { status: 200, headers: { 'content-type': contentType }, body: text }
}
