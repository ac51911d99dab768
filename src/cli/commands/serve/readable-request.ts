import type { RequestEvent } from '../../../service/request-event.js'
import { shortBytes, shortDuration } from '../../option/quantity.js'

/** `200 POST /v1/ingest/:dataset 12 ms, 1.2 kB in, 118 B out, first` */
export function readableRequest(event: RequestEvent): string {
  const { method, route = '(no such route)', status, ms, receivedBytes, sentBytes, caller } = event
  const facts = [
    `${status} ${method} ${route} ${shortDuration(ms)}`,
    ...(receivedBytes > 0 ? [`${shortBytes(receivedBytes)} in`] : []),
    ...(sentBytes > 0 ? [`${shortBytes(sentBytes)} out`] : []),
    ...(caller === undefined ? [] : [caller]),
  ]
  return facts.join(', ')
}
