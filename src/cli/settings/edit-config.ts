// Changes to lines of the configuration file that leave all other lines unchanged, including comments. Only sections are edited:
// TOML can also express profiles by inline tables and dotted keys.
import { isDeepStrictEqual } from 'node:util'
import { ownValue } from '../../text/own-value.js'
import { isJsonObject, type JsonObject } from '../../wire/json/json-object.js'
import { UsageError } from '../error/usage-error.js'
import { type Config, decodeConfig, type Profile, readConfigText } from './config.js'

/** Returns the text of a configuration file with other contents; undefined when editing its lines does not lead to them. */
export async function editedConfig(path: string, wanted: Config): Promise<string | undefined> {
  let text = await readConfigText(path)
  const { profiles, default: chosen } = await decodeConfig(path, text)
  for (const name of new Set([...Object.keys(profiles), ...Object.keys(wanted.profiles)])) {
    const profile = ownValue(wanted.profiles, name)
    if (isSame(profile, ownValue(profiles, name))) continue
    const rest = await withoutProfile(text, name)
    text = profile === undefined ? rest : withSection(rest, name, profile)
  }
  if (wanted.default !== chosen) text = await withDefault(text, wanted.default)
  try {
    return isSame(await decodeConfig(path, text), wanted) ? text : undefined
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** Compares values as they are in a file: without prototypes and undefined members. */
function isSame(one: unknown, other: unknown): boolean {
  const [plain, others] = [one, other].map((value) => JSON.parse(JSON.stringify(value ?? null)))
  return isDeepStrictEqual(plain, others)
}

function withSection(text: string, name: string, profile: Profile): string {
  const lines = Object.entries(profile).map(([key, value]) => `${key} = ${quoted(value)}`)
  const rest = text.trimEnd()
  return `${[...(rest === '' ? [] : [rest, '']), `[profiles.${keyOf(name)}]`, ...lines].join('\n')}\n`
}

async function withoutProfile(text: string, name: string): Promise<string> {
  let isInside = false
  const kept = (await linesOf(text)).filter((line) => {
    const { profiles } = line.members
    if (isHeader(line)) isInside = isJsonObject(profiles) && Object.hasOwn(profiles, name)
    return !isInside
  })
  return textOf(kept)
}

/** Returns the text with `default` set to a profile, or removed if undefined. */
async function withDefault(text: string, name: string | undefined): Promise<string> {
  const lines = await linesOf(text)
  const end = lines.findIndex(isHeader)
  const isDefault = ({ members }: Line, index: number) =>
    Object.hasOwn(members, 'default') && (end === -1 || index < end)
  const entry = name === undefined ? '' : `default = ${quoted(name)}\n`
  const rest = textOf(lines.filter((line, index) => !isDefault(line, index)))
  const isAlone = entry === '' || !rest.trimStart().startsWith('[')
  return isAlone ? entry + rest : `${entry}\n${rest.trimStart()}`
}

interface Line {
  readonly text: string
  /** The members that the line defines by itself; none if it is a part of a longer value. */
  readonly members: JsonObject
}

async function linesOf(document: string): Promise<readonly Line[]> {
  const { parse } = await import('smol-toml')
  return document.split(/(?<=\n)/).map((text) => {
    try {
      return { text, members: parse(text) }
    } catch {
      return { text, members: {} }
    }
  })
}

function isHeader({ text }: Line): boolean {
  return text.trimStart().startsWith('[')
}

function textOf(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join('')
}

function keyOf(name: string): string {
  return /^[\w-]+$/.test(name) ? name : quoted(name)
}

/** Formats a basic string of TOML. Strings of JSON are valid, except for the character U+007F. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f')
}
