// Changes to the text of the configuration file that leave everything else unchanged, including comments.
import type { Profile } from './config.js'
import { type TomlEntry, tomlEntries, withMember, withoutMember } from './toml-text.js'

/** Returns the text with a profile added, or replaced when it already exists. */
export function withProfile(text: string, name: string, profile: Profile): string {
  const entries = [...tomlEntries(withoutProfile(text, name))]
  const lines = Object.entries(profile).map(([key, value]) => `${key} = ${quoted(value)}`)
  // TOML does not allow a section to extend an inline table.
  if (entries.some(isInlineProfiles)) {
    const member = `${keyOf(name)} = { ${lines.join(', ')} }`
    return entries.map((entry) => edited(entry, (table) => withMember(table, member))).join('')
  }
  const section = [`[profiles.${keyOf(name)}]`, ...lines].join('\n')
  const rest = textOf(entries).trimEnd()
  return `${rest === '' ? '' : `${rest}\n\n`}${section}\n`
}

export function withoutProfile(text: string, name: string): string {
  let isInside = false
  const kept = [...tomlEntries(text)].filter(({ kind, path }) => {
    const isOfProfile = path[0] === 'profiles' && path[1] === name
    if (kind === 'table') isInside = isOfProfile
    return !isInside && !isOfProfile
  })
  return kept.map((entry) => edited(entry, (table) => withoutMember(table, name))).join('')
}

/** Returns the text with `default` set to a profile, or removed if undefined. */
export function withDefault(text: string, name: string | undefined): string {
  const isDefault = ({ kind, path }: TomlEntry) => kind === 'value' && path.join('.') === 'default'
  const entries = [...tomlEntries(text)].filter((entry) => !isDefault(entry))
  const entry = name === undefined ? '' : `default = ${quoted(name)}\n`
  const rest = textOf(entries)
  const isAlone = entry === '' || rest.trimStart() === '' || !rest.trimStart().startsWith('[')
  return isAlone ? entry + rest : `${entry}\n${rest.trimStart()}`
}

/** `profiles = { … }`: all profiles as one value. */
function isInlineProfiles({ kind, path }: TomlEntry): boolean {
  return kind === 'value' && path.length === 1 && path[0] === 'profiles'
}

/** Returns the text of an entry, with a changed table if the entry is the inline table of all profiles. */
function edited(entry: TomlEntry, change: (table: string) => string): string {
  const { text, valueAt } = entry
  if (!isInlineProfiles(entry)) return text
  return `${text.slice(0, valueAt)}${change(text.slice(valueAt))}\n`
}

function textOf(entries: readonly TomlEntry[]): string {
  return entries.map(({ text }) => text).join('')
}

function keyOf(name: string): string {
  return /^[\w-]+$/.test(name) ? name : quoted(name)
}

/** Formats a basic string of TOML. Strings of JSON are valid, except for the character U+007F. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f')
}
