import type { Batch } from '../../input/batch.js'

const NAMES: Readonly<Record<Batch['contentType'], string>> = {
  'application/x-ndjson': 'NDJSON',
  'application/json': 'JSON',
  'text/csv': 'CSV',
}

/** What the form is called in which events go out; nothing goes out of an empty input. */
export function formatName(contentType: Batch['contentType'] | undefined): string | null {
  return contentType === undefined ? null : NAMES[contentType]
}
