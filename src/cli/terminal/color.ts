import type { Color } from '../../render/terminal-text.js'
import type { Flags, Io, Output } from '../context.js'

export function colorOf(output: Output, flags: Pick<Flags, 'color'>, env: Io['env']): Color {
  if (!usesColor(output, flags, env)) return 'none'
  return output.isTTY === true ? 'terminal' : 'plain'
}

/** True when an output is colored, as decided by the flag, or else by the environment, or else by whether it is a terminal. */
function usesColor(
  output: Output,
  { color = 'auto' }: Pick<Flags, 'color'>,
  env: Io['env'],
): boolean {
  if (color !== 'auto') return color === 'always'
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return output.isTTY === true && env.TERM !== 'dumb'
}
