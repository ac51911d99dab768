/** The headers that contain the name of the service, with their default names. */
export const HEADER = {
  organization: 'x-service-org-id',
  dataset: 'x-service-dataset',
  csvFields: 'x-service-csv-fields',
  eventLabels: 'x-service-event-labels',
  batchId: 'x-service-batch-id',
  failureLimit: 'x-service-failure-limit',
  traceId: 'x-service-trace-id',
} as const

/** The header with the id of the object that a request creates. Requests with the same id create it once. */
export const IDEMPOTENCY_KEY = 'idempotency-key'

/** The prefix that these headers have at the hosted service. */
export const HOSTED_PREFIX = 'x-axiom-'

/** Returns the name of a header at the hosted service: `x-axiom-org-id` for `x-service-org-id`. */
export function hostedName(header: string): string {
  return header.replace(/^x-service-/, HOSTED_PREFIX)
}

/** The names of these headers at a deployment. */
export type HeaderNames = Readonly<Record<keyof typeof HEADER, string>>

/** Returns one value per header, as read by Node or undici; repeated headers are joined. */
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
