// The formats of lines that `evq format add` saves, as JSON next to the configuration file.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LineFormat } from '../../input/log/format/line-format.js'
import { compilePattern } from '../../input/log/pattern/compile-pattern.js'
import { PatternError } from '../../input/log/pattern/line-pattern.js'
import { replaceFile } from '../../text/replace-file.js'
import { errorCode } from '../../text/system-error.js'
import { isJsonObject } from '../../wire/json/json-object.js'
import { UsageError } from '../error/usage-error.js'
import { changeAlone } from '../file/exclusive-file.js'
import { configPath, type Environment } from './config.js'
import { readError } from './secret-file.js'

export interface SavedFormat {
  readonly name: string
  /** Patterns of any kind, in the order of preference. */
  readonly patterns: readonly string[]
  readonly description?: string
}

function savedFormatsPath(env: Environment): string {
  return join(dirname(configPath(env)), 'formats.json')
}

/** Reads the formats; an empty list when the file does not exist. Throws a `UsageError` for an invalid file. */
export function readSavedFormats(env: Environment): readonly SavedFormat[] {
  const path = savedFormatsPath(env)
  try {
    // Some editors write a byte order mark.
    return decode(JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, '')), path)
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`\`${path}\` is not JSON.`)
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw code === undefined ? error : readError(path, error)
  }
}

/** Replaces the formats by what `change` returns for the saved formats. */
export async function changeSavedFormats(
  env: Environment,
  change: (saved: readonly SavedFormat[]) => readonly SavedFormat[],
): Promise<void> {
  const path = savedFormatsPath(env)
  await changeAlone(path, async () => {
    const changed = change(readSavedFormats(env))
    await replaceFile(path, `${JSON.stringify(changed, undefined, 2)}\n`)
  })
}

/** Returns the formats for reading inputs. Throws a `UsageError` for an invalid file. */
export function savedFormats(env: Environment): readonly LineFormat[] {
  return readSavedFormats(env).map(lineFormat)
}

/** Returns a saved format for reading inputs. */
export function lineFormat({ name, patterns, description }: SavedFormat): LineFormat {
  const title = description ?? 'saved format'
  return { name, title, example: patterns[0] ?? '', patterns, isCustom: true }
}

function decode(value: unknown, path: string): readonly SavedFormat[] {
  if (!Array.isArray(value)) throw new UsageError(`\`${path}\` is not an array of formats.`)
  return value.map((format: unknown) => {
    if (!isSavedFormat(format)) {
      throw new UsageError(
        `A format in \`${path}\` is not an object with a \`name\` and an array of \`patterns\`.`,
      )
    }
    for (const pattern of format.patterns)
      checkPattern(pattern, `\`${format.name}\` in \`${path}\``)
    return format
  })
}

function checkPattern(pattern: string, where: string): void {
  try {
    compilePattern(pattern)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new UsageError(`A pattern of ${where} can't be used: ${error.message}`)
  }
}

function isSavedFormat(value: unknown): value is SavedFormat {
  if (!isJsonObject(value)) return false
  const { name, patterns, description } = value
  return (
    typeof name === 'string' &&
    Array.isArray(patterns) &&
    patterns.length > 0 &&
    patterns.every((pattern) => typeof pattern === 'string') &&
    ['string', 'undefined'].includes(typeof description)
  )
}
