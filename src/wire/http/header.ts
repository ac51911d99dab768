/** The headers of the interface that carry the service's own name, as they are without a profile. */
export const HEADER = {
  organization: 'x-service-org-id',
  csvFields: 'x-service-csv-fields',
  eventLabels: 'x-service-event-labels',
  batchId: 'x-service-batch-id',
  failureLimit: 'x-service-failure-limit',
  traceId: 'x-service-trace-id',
} as const

/** What these headers are called at a deployment. */
export type HeaderNames = Readonly<Record<keyof typeof HEADER, string>>

/** Headers as Node and undici read them, each with one value: where one came several times, its values are joined. */
export function singleHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'object' ? value.join(', ') : value,
    ]),
  )
}
