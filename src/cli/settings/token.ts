import { exec } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { UsageError } from '../error/usage-error.js'
import { expandTilde } from '../file/home-directory.js'
import { whyUnread } from './secret-file.js'

/** A token, and the name of its source for messages. */
export interface Token {
  readonly text: string
  readonly origin: string
}

const COMMAND_TIMEOUT_MS = 60_000

/** Reads the token in a file. Throws a `UsageError` when the file can't be read or contains no token. */
export async function tokenOfFile(file: string, from: string): Promise<Token> {
  const path = expandTilde(file, process.env)
  const origin = `\`${file}\`${from}`
  try {
    return tokenOf(await readFile(path, 'utf8'), origin)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`No token from ${origin}: ${whyUnread(error)}.`)
  }
}

/** Returns the token in an environment variable; undefined when the variable is empty. */
export function tokenOfVariable(name: string, value: string | undefined): Token | undefined {
  if (value === undefined || value.trim() === '') return undefined
  return tokenOf(value, `\`${name}\``)
}

/** Functions that return the token from the value of a key of a profile; `from` names the profile for messages. */
const READ = {
  token: async (text: string, from: string) => tokenOf(text, `\`token\`${from}`),
  token_file: tokenOfFile,
  async token_command(command: string, from: string) {
    const origin = `\`token_command\`${from}`
    return tokenOf(await outputOf(command, origin), origin)
  },
}

type TokenKey = keyof typeof READ

/** The keys of a profile that give its token; at most one is set. */
export const TOKEN_KEYS = Object.keys(READ) as readonly TokenKey[]

export async function tokenOfProfile(
  name: string,
  profile: { readonly [Key in TokenKey]?: string },
): Promise<Token | undefined> {
  const key = TOKEN_KEYS.find((one) => profile[one] !== undefined)
  return key && READ[key](profile[key] ?? '', ` of profile \`${name}\``)
}

function tokenOf(text: string, origin: string): Token {
  return { text: checkToken(text, origin), origin }
}

/** Returns a token without surrounding space. Throws a `UsageError` when it can't be sent in a header. */
export function checkToken(text: string, origin: string): string {
  const token = text.trim()
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new UsageError(
    token === ''
      ? `There is no token in ${origin}.`
      : `The token in ${origin} contains a space, a line end or another character that is not valid in a token.`,
  )
}

/** Runs a command in a shell and returns its output. Its standard input is empty: the input of this program may contain events. */
function outputOf(command: string, origin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = exec(command, { timeout: COMMAND_TIMEOUT_MS }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      const output = stderr.trim().split('\n').slice(-3).join(' ')
      const how = error.killed
        ? 'took longer than a minute'
        : `ended with ${String(error.code ?? error.signal)}`
      reject(new UsageError(`No token: ${origin} ${how}${output === '' ? '' : `: ${output}`}.`))
    })
    child.stdin?.end()
  })
}
