import type { TestOptions } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The reason a test is skipped, printed at the end of the run. */
    skipReason?: string
  }
}

/**
 * The options of a test or a suite that is skipped on machines without something it needs: `it(name, needs(hasJq, 'jq'), …)`.
 *
 * The only way to skip a test, because it gives the reason: `needs jq`.
 */
export function needs(isMet: unknown, what: string): TestOptions {
  return isMet ? {} : { skip: true, meta: { skipReason: `needs ${what}` } }
}

export const needsLinux = needs(process.platform === 'linux', 'Linux')
export const needsRoot = needs(process.getuid?.() === 0, 'root')
