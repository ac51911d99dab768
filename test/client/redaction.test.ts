import { describe, expect, it } from 'vitest'
import { redaction } from '../../src/client/redaction.js'

const TOKEN = 'xapt-Zk3/9+Qw==~7fb1e0c2'
const redact = redaction([TOKEN])

const base64 = (text: string) => Buffer.from(text).toString('base64')
const base64url = (text: string) => Buffer.from(text).toString('base64url')

describe('a secret', () => {
  it.each([
    ['as it is', TOKEN],
    ['percent-encoded', encodeURIComponent(TOKEN)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(TOKEN))],
    [
      'percent-encoded throughout, in lower case',
      TOKEN.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`),
    ],
    ['with escaped slashes, as some write JSON', TOKEN.replaceAll('/', '\\/')],
    ['with Unicode escapes', TOKEN.replace(/[^a-z]/gi, (c) => `\\u00${hex(c)}`)],
    ['with Unicode escapes in JSON in JSON', TOKEN.replace(/[^a-z]/gi, (c) => `\\\\u00${hex(c)}`)],
    ['with HTML entities', TOKEN.replaceAll('/', '&#x2F;').replaceAll('=', '&#61;')],
    ['cut off after most of it', TOKEN.slice(0, 14)],
  ])('is replaced %s', (_, text) => {
    expect(redact(`got "${text}" from you`)).toBe('got "…" from you')
  })

  it.each(['', 'a', 'ab', 'abc', 'Bearer ', 'Authorization: Bearer ', 'Bearer: '])(
    'is replaced in base64 after `%s`',
    (before) => {
      for (const after of ['', '\r\n', ' and more']) {
        for (const text of [base64(before + TOKEN + after), base64url(before + TOKEN + after)]) {
          const shown = redact(`seen: ${text}.`)
          expect(shown).toMatch(/^seen: [\w+/=-]*…[\w+/=-]*\.$/)
          expect(revealed(shown)).toEqual([])
        }
        const escaped = encodeURIComponent(base64(before + TOKEN + after))
        expect(revealed(redact(escaped))).toEqual([])
      }
    },
  )

  it('is replaced at each occurrence, and nothing else is', () => {
    expect(redact(`${TOKEN}${TOKEN} 100% \\n é ${TOKEN}`)).toBe('…… 100% \\n é …')
    expect(redact('100 %41 &amp; "\\/" is xapt-')).toBe('100 %41 &amp; "\\/" is xapt-')
  })

  it('is replaced only as a whole word when it is short', () => {
    expect(redaction(['test'])('Bearer test: the latest tests, Bearer%20test')).toBe(
      'Bearer …: the latest tests, Bearer%20…',
    )
    expect(redaction(['abc', ''])('abc')).toBe('abc')
  })

  it('is replaced together with others', () => {
    const both = redaction(['first-secret-1', 'p@ss word'])
    expect(both(`first-secret-1 ${base64('user:p@ss word')} p%40ss%20word`)).toMatch(
      /^… [\w=]{0,6}…[\w=]* …$/,
    )
  })

  it('is replaced in a page of a megabyte when it has kilobytes', () => {
    const long = Array.from({ length: 400 }, (_, n) => `part${n}-`).join('')
    const page = `${'A%41\\/'.repeat(170_000)}${base64(`Bearer ${long}`)}`
    expect(redaction([long])(page).length).toBeLessThan(page.length - long.length)
  })
})

/** Returns the parts of four characters of the secret, or of its base64, that remain. */
function revealed(text: string): readonly string[] {
  const forms = ['', 'a', 'ab'].flatMap((before) => [
    base64(before + TOKEN),
    base64url(before + TOKEN),
  ])
  const inside = forms.map((form, index) => form.slice(index < 2 ? 0 : 4).replace(/.{4}=*$/, ''))
  return [TOKEN, ...inside].flatMap((form) =>
    Array.from({ length: form.length - 3 }, (_, at) => form.slice(at, at + 4)).filter((piece) =>
      text.includes(piece),
    ),
  )
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}
