import type { IngestParameters } from '../../../../client/ingest.js'
import type { IngestOptions } from './options.js'

/** How the command line says that the service is to read the events. */
export function parametersOf({
  timestampField,
  timestampFormat,
  label,
}: IngestOptions): IngestParameters {
  return { timestampField, timestampFormat, labels: label }
}
