import type { Tokens } from '../../service/tokens.js'
import { clock } from '../clock.js'
import type { Context } from '../context.js'
import { dataDirectory } from '../settings.js'

/** The tokens of the data directory. */
export async function openLocalTokens({ flags, io }: Context): Promise<Tokens> {
  const { openTokens } = await import('../../service/tokens.js')
  const { tokenFile } = await import('../../service/token-file.js')
  return openTokens(tokenFile(dataDirectory(flags(), io.env)), clock(io))
}

/** Whether somebody gave a token itself where its name belongs; it must not be repeated on a screen. */
export function isTokenText(text: string): boolean {
  return /^xa[ap]t-/i.test(text)
}
