import type { Flags } from '../context.js'
import type { Io, Output } from '../io.js'

/** True when an output is colored: by the flag, otherwise by the environment, otherwise when it is a terminal. */
export function usesColor(
  output: Output,
  { color = 'auto' }: Pick<Flags, 'color'>,
  env: Io['env'],
): boolean {
  if (color !== 'auto') return color === 'always'
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return output.isTTY === true && env.TERM !== 'dumb'
}
