import { getSystemErrorMap } from 'node:util'

/** What the operating system says is wrong, `name too long`; nothing for an error that is not of its kind. */
export function systemErrorText(error: unknown): string | undefined {
  const isOfSystem = error instanceof Error && 'errno' in error && typeof error.errno === 'number'
  return isOfSystem ? getSystemErrorMap().get(error.errno as number)?.[1] : undefined
}
