import { UsageError } from '../error/usage-error.js'

/** Splits the names in the value of a flag. Throws a `UsageError` for an empty name. */
export function namesIn(value: string, flag: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim())
  if (!names.includes('')) return names
  throw new UsageError(`\`${flag}\` takes names separated by commas, not \`${value}\`.`)
}
