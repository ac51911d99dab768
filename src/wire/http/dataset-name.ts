const DATASET_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9])?$/

/** Whether a dataset can be called so. */
export function isDatasetName(name: string): boolean {
  return DATASET_NAME.test(name)
}

/** Why a dataset can't be called so, for a reader. */
export function datasetNameError(name: string): string {
  return `\`${name}\` can't name a dataset: letters, digits, \`_\`, \`.\` and \`-\` can, at most 128, with a letter or digit at both ends.`
}
