const DATASET_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9])?$/

/** True for a valid dataset name. */
export function isDatasetName(name: string): boolean {
  return DATASET_NAME.test(name)
}

/** Returns the message for an invalid dataset name. */
export function datasetNameError(name: string): string {
  return `\`${name}\` can't name a dataset: letters, digits, \`_\`, \`.\` and \`-\` can, at most 128, with a letter or digit at both ends.`
}
