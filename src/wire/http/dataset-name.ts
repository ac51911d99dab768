const DATASET_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9])?$/

export function isDatasetName(name: string): boolean {
  return DATASET_NAME.test(name)
}

export function datasetNameError(name: string): string {
  return `\`${name}\` is not a valid dataset name. Names have 1 to 128 letters, digits, \`_\`, \`.\` and \`-\`, and begin and end with a letter or digit.`
}
