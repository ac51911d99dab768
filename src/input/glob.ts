import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeRegex } from '../text/escape-regex.js'
import { isDirectory } from './walk.js'

const SPECIAL = /[*?[{]/

/**
 * Returns the paths that match a pattern, sorted. The path of an existing file stands for itself, even if it has special
 * characters. `*` and `?` match within a name, `[a-z]` one character, `{a,b}` alternatives, and `**` any directories; a pattern
 * with `**` matches only files. As in shells, a name that begins with a dot is matched only by a pattern that begins with one.
 */
export async function expandGlob(pattern: string): Promise<readonly string[]> {
  if (!SPECIAL.test(pattern) || existsSync(pattern)) return [pattern]
  const found = new Set<string>()
  for (const one of alternatives(pattern)) {
    const isAbsolute = one.startsWith('/')
    const hasAnyDepth = /(^|\/)\*\*(\/|$)/.test(one)
    const names = one.split('/').filter((name, i) => name !== '' || i === 0)
    if (names.at(-1) === '**') names.push('*')
    const wanted = withoutRepeats(isAbsolute ? names.slice(1) : names)
    for (const path of await matches(isAbsolute ? '/' : '', wanted)) {
      if (!hasAnyDepth || !(await isDirectory(path))) found.add(path)
    }
  }
  return [...found].sort()
}

/** Leaves one of several `**` in a row, which match the same paths as one, but in exponentially many ways. */
function withoutRepeats(names: readonly string[]): readonly string[] {
  return names.filter((name, i) => name !== '**' || names[i - 1] !== '**')
}

async function matches(base: string, names: readonly string[]): Promise<readonly string[]> {
  const [name, ...rest] = names
  if (name === undefined) return existsSync(base) ? [base] : []
  if (name === '**') {
    const below = await directoriesIn(base)
    const deeper = await Promise.all(below.map((directory) => matches(directory, names)))
    return [...(await matches(base, rest)), ...deeper.flat()]
  }
  if (!SPECIAL.test(name)) return await matches(join(base, name), rest)
  const expression = expressionOf(name)
  const found = await readdir(base || '.').catch(() => [])
  const fitting = found.filter(
    (one) => expression.test(one) && (!one.startsWith('.') || name.startsWith('.')),
  )
  const each = await Promise.all(fitting.map((one) => matches(join(base, one), rest)))
  return each.flat()
}

/** Returns the patterns without braces that a pattern stands for. */
function alternatives(pattern: string): readonly string[] {
  const braces = /\{([^{}]*,[^{}]*)\}/.exec(pattern)
  if (braces === null) return [pattern]
  const [whole, list = ''] = braces
  const before = pattern.slice(0, braces.index)
  const after = pattern.slice(braces.index + whole.length)
  return list.split(',').flatMap((one) => alternatives(before + one + after))
}

/**
 * Returns the expression for a name. All `*` but the last match as little as possible: a lookahead, which is not entered again,
 * keeps the time from growing exponentially with their number.
 */
function expressionOf(name: string): RegExp {
  const [first = '', ...others] = piecesOf(name)
  const last = others.pop()
  const inner = others.filter(Boolean).map((piece, i) => `(?=(.*?${piece}))\\${i + 1}`)
  const end = last === undefined ? '' : `.*${last}`
  try {
    return new RegExp(`^${first}${inner.join('')}${end}$`, 'su')
  } catch {
    // A reversed range, `[z-a]`, matches nothing.
    return /(?!)/
  }
}

const PART = /\[(!|\^)?(\]?[^\]]+)\]|[\s\S]/gu

/** Returns the sources of the expressions before, between and after the `*` of a name. */
function piecesOf(name: string): readonly string[] {
  const pieces = ['']
  for (const part of name.matchAll(PART)) {
    if (part[0] === '*') pieces.push('')
    else pieces[pieces.length - 1] += partSource(part)
  }
  return pieces
}

/** Returns the source of a part; `characters` are the characters of `[…]`, and `not` is the sign of their negation. */
function partSource([part, not, characters]: RegExpExecArray): string {
  if (characters !== undefined) {
    return `[${not === undefined ? '' : '^'}${characters.replace(/[\\\]^[]/g, '\\$&')}]`
  }
  return part === '?' ? '.' : escapeRegex(part)
}

async function directoriesIn(base: string): Promise<readonly string[]> {
  const entries = await readdir(base || '.', { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => join(base, entry.name))
}
