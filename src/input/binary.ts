import { isUtf8 } from 'node:buffer'
import { zeros } from './encoding.js'
import { InputError, inputLabel, STANDARD_INPUT } from './error.js'
import type { DetectedFormat } from './format.js'
import { beginsLikeParquet } from './parquet.js'
import { afterZeros } from './zeros.js'

const LOOKED_AT = 4096
const TAR_MAGIC = /^ustar(?:\0| {2}\0)/
/** The position of the magic number in the header of the first file. */
const TAR_MAGIC_AT = 257
/** Tab, line ends, form feed, escape. */
const PLAIN: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b])

/**
 * Throws `InputError` for binary data. The service reports bad lines of JSON. A log may contain zeros in front of lines, and a
 * few elsewhere, so data is binary only if most lines are not text, and many bytes are zeros or, when the format was guessed,
 * if there is a zero and the text is not UTF-8, or if many bytes are control characters.
 */
export function rejectBinary(
  head: Buffer,
  input: { readonly name: string; readonly format: DetectedFormat; readonly isGuess: boolean },
): void {
  const { name, format, isGuess } = input
  if (beginsLikeParquet(head)) {
    throw new InputError(
      `${inputLabel(name)} is a Parquet file, which can only be read as a file: give its name, without compression.`,
    )
  }
  if (TAR_MAGIC.test(head.toString('latin1', TAR_MAGIC_AT, TAR_MAGIC_AT + 8))) {
    const file = name === STANDARD_INPUT ? 'FILE' : name
    throw new InputError(
      `${inputLabel(name)} is a tar archive. Extract its files first, or pipe them: \`tar -xOf ${file} | evq …\`.`,
    )
  }
  const bytes = head.subarray(0, LOOKED_AT)
  const [even, odd] = zeros(bytes)
  if (['ndjson', 'json array', 'json sequence', 'json records'].includes(format)) return
  // The first part of a PDF document may be text.
  const isDocument = isGuess && bytes.toString('latin1', 0, 5) === '%PDF-'
  if (!isDocument && hasTextLines(bytes)) return
  const isRich = (even + odd) * 20 > bytes.length
  const isUnlikely = isGuess && even + odd > 0 && !isUtf8(bytes.subarray(0, -4))
  if (isDocument || isRich || isUnlikely || (isGuess && controls(bytes) * 20 > bytes.length)) {
    throw new InputError(
      `${inputLabel(name)} is not text. Supported are JSON, CSV and log lines, optionally compressed with gzip or zstd.`,
    )
  }
}

/** True when most lines, perhaps after zeros, are UTF-8 without control characters. */
function hasTextLines(bytes: Buffer): boolean {
  // The last line may be cut.
  const lines = bytes.toString('latin1').split('\n').slice(0, -1)
  const texts = lines.map((line) => Buffer.from(line.slice(afterZeros(line, 0)), 'latin1'))
  return texts.filter((line) => isUtf8(line) && controls(line) === 0).length * 2 > lines.length
}

/** Counts control characters that text contains only by accident; tabs, line ends and color escapes are not counted. */
function controls(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte < 0x20 && !PLAIN.has(byte)) count += 1
  return count
}
