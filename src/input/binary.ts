import { isUtf8 } from 'node:buffer'
import { InputError, shown } from './error.js'
import type { FoundFormat } from './format.js'

const LOOKED_AT = 4096

/**
 * Refuses what is no text. A bad line of JSON is the service's to refuse, and a log may hold a zero now
 * and then, after a crash say: so only many of them tell, or any in what was taken for a log.
 */
export function refuseBinary(
  head: Buffer,
  input: { readonly name: string; readonly format: FoundFormat; readonly isGuess: boolean },
): void {
  const { name, format, isGuess } = input
  const bytes = head.subarray(0, LOOKED_AT)
  const [even, odd] = zeros(bytes)
  if (even + odd === 0) return
  const half = bytes.length / 2
  // Latin letters in UTF-16 have a zero in every other byte.
  if (Math.max(even, odd) > half * 0.6 && Math.min(even, odd) < half * 0.1) throw wide(name)
  if (['ndjson', 'json array', 'json sequence'].includes(format)) return
  const isRich = (even + odd) * 20 > bytes.length
  if (isRich || (isGuess && !isUtf8(bytes.subarray(0, -4)))) {
    throw new InputError(
      `${shown(name)} is not text: it holds bytes that are zero. Events in JSON, CSV or lines of logs can be read, also packed with gzip or zstd.`,
    )
  }
}

/** What to do about UTF-16. */
export function wide(name: string): InputError {
  return new InputError(
    `${shown(name)} is in UTF-16. \`iconv -f UTF-16 -t UTF-8\` turns it into UTF-8.`,
  )
}

function zeros(bytes: Buffer): readonly [even: number, odd: number] {
  let even = 0
  let odd = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) continue
    if (at % 2 === 0) even += 1
    else odd += 1
  }
  return [even, odd]
}
