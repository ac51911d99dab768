import { suggestion } from '../../text/suggest.js'
import type { JsonObject } from '../../wire/json/json-object.js'
import { UsageError } from '../error/usage-error.js'

/** Parses `text`, the contents of the file at `path`. Throws a `UsageError` with the line when it is not TOML. */
export async function parseToml(path: string, text: string): Promise<JsonObject> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The rest of the message quotes the line, which may contain a token or a password.
    const what = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '')
    throw new UsageError(`\`${path}:${error.line}\` is not TOML: ${what}.`)
  }
}

/** Throws a `UsageError` for an unknown key, which is most likely misspelled. `where` names the table and its file. */
export function checkKeys(members: JsonObject, known: readonly string[], where: string): void {
  const key = Object.keys(members).find((name) => !known.includes(name))
  if (key === undefined) return
  const help = suggestion(key, known, `It takes ${known.join(', ')}.`)
  throw new UsageError(`Unknown key \`${key}\` in ${where}. ${help}`)
}
