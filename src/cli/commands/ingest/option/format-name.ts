import type { Batch } from '../../../../input/batch.js'

const NAMES: Readonly<Record<Batch['contentType'], string>> = {
  'application/x-ndjson': 'NDJSON',
  'application/json': 'JSON',
  'text/csv': 'CSV',
}

const LOG_NAMES: Readonly<Record<NonNullable<Batch['format']>, string>> = {
  logfmt: 'logfmt',
  clf: 'web server log',
  syslog: 'syslog',
  text: 'text',
}

/** What the form is called that events were found in; there is none in an empty input. */
export function formatName({
  contentType,
  format,
}: {
  readonly contentType: Batch['contentType'] | undefined
  readonly format?: Batch['format']
}): string | null {
  if (format !== undefined) return LOG_NAMES[format]
  return contentType === undefined ? null : NAMES[contentType]
}
