import type { Context } from '../../context.js'
import { variablesBefore } from '../../settings/choice.js'

/** Whoever chooses a profile and then meets other data wonders why: says what goes before it. */
export function tellOfVariables({ io, note }: Pick<Context, 'io' | 'note'>): void {
  const [variable] = variablesBefore(io.env)
  if (variable !== undefined) note(`\`${variable}\` is set, and goes before the default profile.`)
}
