// The configuration file: `default` names a profile, `[profiles.<name>]` holds each.
import { mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { errorCode } from '../../text/error-code.js'
import { replaceFile } from '../../text/replace-file.js'
import { decodeConfig } from './decode-config.js'
import { refuseReadable } from './secret-file.js'
import { unreadable } from './unreadable.js'

/** The environment's variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A named deployment, with the names of the file. */
export interface Profile {
  readonly url?: string
  readonly ingest_url?: string
  readonly org_id?: string
  readonly org_header?: string
  readonly labels_header?: string
  readonly csv_fields_header?: string
  readonly batch_id_header?: string
  readonly trace_id_header?: string
  readonly token?: string
  readonly token_file?: string
  readonly token_command?: string
  /** A duration: `30s`. */
  readonly timeout?: string
  readonly ca_file?: string
  readonly proxy?: string
}

/** What the configuration file says: the profiles, and the name of the one that is meant by default. */
export interface Config {
  readonly default?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

/** Where the configuration file is. */
export function configPath(env: Environment): string {
  const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(home, 'evq', 'config.toml')
}

/** The text of the configuration file, empty when there is none. */
export async function readConfigText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    throw unreadable(path, error)
  }
}

/** Reads the configuration; without a file there are no profiles. */
export async function readConfig(path: string): Promise<Config> {
  const text = await readConfigText(path)
  if (text === '') return { profiles: {} }
  const config = await decodeConfig(path, text)
  const holdsToken = Object.values(config.profiles).some(({ token }) => token !== undefined)
  if (holdsToken) await refuseReadable(path, 'token')
  return config
}

/** Replaces the file in one step; nobody else can read it. */
export async function writeConfigText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, text, { mode: 0o600 })
}
