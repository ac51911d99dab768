/** The date at the end of indices that are created per day or month. */
const DATE = /-\d{4}\.\d{2}(?:\.\d{2})?$/

/** Returns the dataset for an index, without its date: indices per day such as `logs-2026.01.31` are one dataset, `logs`. */
export function datasetOfIndex(index: string): string {
  return index.replace(DATE, '')
}
