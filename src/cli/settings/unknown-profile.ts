import { closest } from '../../text/suggest.js'
import { UsageError } from '../error/usage-error.js'

/** There is no profile of that name. */
export function unknownProfile(name: string, known: readonly string[], path: string): UsageError {
  const near = closest(name, known)
  const help =
    known.length === 0
      ? `\`evq profile add ${name} --url URL\` makes it`
      : near === undefined
        ? `Profiles: ${known.join(', ')}`
        : `\`${near}\` is close`
  return new UsageError(`There is no profile \`${name}\` in \`${path}\`. ${help}.`)
}
