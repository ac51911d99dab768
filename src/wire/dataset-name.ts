/** What may name a dataset: letters, digits, `_`, `.` and `-`, at most 128, no sign at either end. */
const DATASET_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9])?$/

/** Whether a dataset can be called so: letters, digits, `_`, `.` and `-`, at most 128, a letter or digit at both ends. */
export function isDatasetName(name: string): boolean {
  return DATASET_NAME.test(name)
}
