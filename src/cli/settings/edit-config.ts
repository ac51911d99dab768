// Changes to the text of the configuration file that leave everything else in it as it is, comments included.
import type { Profile } from './config.js'

/** The text with a profile added, or with an earlier one of that name replaced. */
export function withProfile(text: string, name: string, profile: Profile): string {
  const lines = Object.entries(profile).map(([key, value]) => `${key} = ${quoted(value)}`)
  const section = [`[profiles.${keyOf(name)}]`, ...lines].join('\n')
  const rest = withoutProfile(text, name).trimEnd()
  return `${rest === '' ? '' : `${rest}\n\n`}${section}\n`
}

/** The text without a profile. */
export function withoutProfile(text: string, name: string): string {
  const headers = [`[profiles.${name}]`, `[profiles.${quoted(name)}]`, `[profiles.'${name}']`]
  let isInside = false
  const kept = text.split('\n').filter((line) => {
    const trimmed = line.trim()
    if (trimmed.startsWith('[')) {
      isInside = headers.some((header) => trimmed.replaceAll(' ', '').startsWith(header))
    }
    return !isInside
  })
  return kept.join('\n')
}

/** The text with `default` naming a profile, or naming none. */
export function withDefault(text: string, name: string | undefined): string {
  const lines = text.split('\n')
  const tables = lines.findIndex((line) => line.trim().startsWith('['))
  const top = tables === -1 ? lines : lines.slice(0, tables)
  const rest = tables === -1 ? [] : lines.slice(tables)
  const others = top.filter((line) => !/^\s*default\s*=/.test(line))
  const entry = name === undefined ? [] : [`default = ${quoted(name)}`]
  const gap = rest.length > 0 && entry.length > 0 && others.every((line) => line.trim() === '')
  return [...entry, ...(gap ? [''] : []), ...(gap ? [] : others), ...rest].join('\n')
}

function keyOf(name: string): string {
  return /^[\w-]+$/.test(name) ? name : quoted(name)
}

/** A basic string of TOML, which JSON's strings are too. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f')
}
