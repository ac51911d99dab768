import type { Flags } from '../context.js'
import type { Io, Output } from '../io.js'

/** Whether what is written to an output is coloured: flag, then environment, then whether a terminal reads it. */
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
