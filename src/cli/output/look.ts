import type { Color } from '../../render/terminal-text.js'
import type { Context, Output } from '../context.js'
import { colorOf } from '../terminal/color.js'

export interface Look {
  readonly isTerminal: boolean
  readonly color: Color
  /** The columns of a terminal. */
  readonly width: number | undefined
}

export function lookOf(out: Output, { io, flags }: Pick<Context, 'io' | 'flags'>): Look {
  const isTerminal = out.isTTY === true
  return {
    isTerminal,
    // The color variables of the environment apply to the standard streams, not to files.
    color: colorOf(out, flags(), out === io.stdout ? io.env : {}),
    width: (isTerminal && out.columns) || undefined,
  }
}
