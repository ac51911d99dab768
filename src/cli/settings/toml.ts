import { closest } from '../../text/suggest.js'
import type { JsonObject } from '../../wire/json/json-object.js'
import { UsageError } from '../error/usage-error.js'

/** The members of the file at `path`, which holds `text`. What is no TOML is a mistake of its writer. */
export async function parseToml(path: string, text: string): Promise<JsonObject> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The rest of its message quotes the line, which may hold a token or a password.
    const what = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '')
    throw new UsageError(`\`${path}:${error.line}\` is not TOML: ${what}.`)
  }
}

/** Refuses a key that nothing reads, most likely misspelt: `where` names the table and its file. */
export function checkKeys(members: JsonObject, known: readonly string[], where: string): void {
  const key = Object.keys(members).find((name) => !known.includes(name))
  if (key === undefined) return
  const near = closest(key, known)
  const help = near === undefined ? `It takes ${known.join(', ')}` : `\`${near}\` is close`
  throw new UsageError(`${where} has a \`${key}\`, which means nothing here. ${help}.`)
}
