import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NdjsonWriter } from '../../../src/wire/otlp/ndjson-writer.js'
import '../../support/runs.js'

/** Writes a part of some bytes as a string, after other strings. */
function written(bytes: Buffer): string {
  const writer = new NdjsonWriter(16)
  const source = Buffer.concat([Buffer.from('\xff"', 'latin1'), bytes, Buffer.from('"')])
  writer.string(source, 2, 2 + bytes.length)
  return writer.take().toString()
}

/** The text that JSON has for bytes in which U+FFFD replaces what is not UTF-8. */
function json(bytes: Buffer): string {
  return JSON.stringify(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
}

/** Lengths around the one from which strings are written in another way, and a long one. */
const REPEATS = fc.constantFrom(1, 20, 50, 3_000)

describe('NdjsonWriter', () => {
  it('writes each character like JSON.stringify', () => {
    for (let code = 0; code < 0x180; code++) {
      for (const text of [String.fromCharCode(code), String.fromCharCode(code).repeat(300)]) {
        expect(written(Buffer.from(text))).toBe(JSON.stringify(text))
      }
    }
  })

  it('writes strings of any length like JSON.stringify', () => {
    const character = fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\x01', 'é', '漢', '😀'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(character), REPEATS, (characters, repeats) => {
        const bytes = Buffer.from(characters.join('').repeat(repeats))
        expect(written(bytes)).toBe(json(bytes))
      }),
    )
  })

  it('writes U+FFFD in place of bytes that are not UTF-8, in strings of any length', () => {
    const byte = fc.constantFrom(0x01, 0x22, 0x61, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xef, 0xf0, 0xff)
    fc.assert(
      fc.property(fc.array(byte), REPEATS, (part, repeats) => {
        const bytes = Buffer.concat(Array<Buffer>(repeats).fill(Buffer.from(part)))
        expect(written(bytes)).toBe(json(bytes))
      }),
    )
  })
})
