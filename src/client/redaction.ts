// Hides secrets in text from services and proxies. An error page may quote the request, including its headers.

/** Returns text with the secrets in it replaced by `…`. */
export type Redact = (text: string) => string

/** A form in which a secret may occur. */
interface SecretForm {
  readonly text: string
  /** The part that must match: truncated text may contain only the beginning of a secret. */
  readonly prefix: string
  readonly kind: 'plain' | 'word' | 'base64'
}

/** The minimum length of a secret. Shorter strings are not secret, and occur in ordinary words. */
const MIN_LENGTH = 4
/** The length up to which a secret is replaced only where it is a whole word. */
const MAX_WORD_LENGTH = 7
/** The length from which the first half of a secret is replaced, too. */
const MIN_TRUNCATED_LENGTH = 16

/**
 * Returns a function that finds each secret verbatim, percent-encoded, escaped as in JSON or HTML, and within base64 or
 * base64url at any alignment, so that the base64 of `Bearer <token>` or `<name>:<password>` is found too.
 */
export function redaction(secrets: readonly string[]): Redact {
  const forms = secrets.filter(({ length }) => length >= MIN_LENGTH).flatMap(formsOf)
  if (forms.length === 0) return (text) => text
  return (text) => {
    const found = [...views(text)].flatMap((view) => forms.flatMap((form) => ranges(view, form)))
    return found.length === 0 ? text : without(text, found)
  }
}

function formsOf(secret: string): readonly SecretForm[] {
  const encoded = [0, 1, 2].flatMap((alignment) => {
    const text = withinBase64(Buffer.from(secret), alignment)
    const forUrl = text.replaceAll('+', '-').replaceAll('/', '_')
    return [...new Set([text, forUrl])].map((one) => formOf(one, 'base64'))
  })
  return [formOf(secret, secret.length <= MAX_WORD_LENGTH ? 'word' : 'plain'), ...encoded]
}

function formOf(text: string, kind: SecretForm['kind']): SecretForm {
  const isLong = text.length >= MIN_TRUNCATED_LENGTH
  return { text, prefix: isLong ? text.slice(0, Math.ceil(text.length / 2)) : text, kind }
}

/** Returns the base64 characters that depend only on `bytes`, when `alignment` other bytes precede them in a group of three. */
function withinBase64(bytes: Buffer, alignment: number): string {
  const text = Buffer.concat([Buffer.alloc(alignment), bytes]).toString('base64')
  const first = Math.ceil((alignment * 8) / 6)
  const end = Math.floor(((alignment + bytes.length) * 8) / 6)
  return text.slice(first, end)
}

/** Decoded text, and the position of each character in the original. */
interface View {
  readonly text: string
  readonly at: (index: number) => number
}

/** Yields the text itself, then with its escapes decoded, up to three times. */
function* views(text: string): Generator<View> {
  let view: View | undefined = { text, at: (index) => index }
  for (let depth = 0; view !== undefined && depth < 4; depth++) {
    yield view
    view = decoded(view)
  }
}

const ESCAPE =
  /%(?<percent>[\da-f]{2})|\\+u00(?<json>[\da-f]{2})|&#x0*(?<hex>[\da-f]{1,2});|&#0*(?<decimal>\d{2,3});|&(?<name>amp|lt|gt|quot|apos);|\\+(?<character>["\\/])/gi

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/** Decodes each escape once; returns undefined when the text has no escapes. */
function decoded({ text, at }: View): View | undefined {
  const places = new Uint32Array(text.length + 1)
  let out = ''
  let from = 0
  function copy(end: number): void {
    for (let index = from; index < end; index++) places[out.length + index - from] = at(index)
    out += text.slice(from, end)
  }
  for (const match of text.matchAll(ESCAPE)) {
    copy(match.index)
    places[out.length] = at(match.index)
    out += characterOf(match.groups ?? {})
    from = match.index + match[0].length
  }
  if (from === 0) return undefined
  copy(text.length)
  places[out.length] = at(text.length)
  return { text: out, at: (index) => places[index] ?? 0 }
}

function characterOf(groups: Readonly<Record<string, string | undefined>>): string {
  const { percent, json, hex = percent ?? json, decimal, name = '', character } = groups
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  if (decimal !== undefined) return String.fromCharCode(Number(decimal))
  return character ?? NAMED[name.toLowerCase()] ?? ' '
}

type Range = readonly [from: number, to: number]

/** Returns the occurrences of a form, as positions in the original. */
function ranges({ text, at }: View, { text: form, prefix, kind }: SecretForm): Range[] {
  const found: Range[] = []
  for (let from = text.indexOf(prefix); from !== -1; from = text.indexOf(prefix, from + 1)) {
    let to = from + prefix.length
    while (to - from < form.length && text[to] === form[to - from]) to += 1
    const [before = '', after = ''] = [text[from - 1], text[to]]
    if (kind === 'word' && /[a-z\d]/i.test(before + after)) continue
    // The base64 characters next to a match also contain bits of the secret.
    const margin = (beside: string) => (kind === 'base64' && /[\w+/-]/.test(beside) ? 1 : 0)
    found.push([at(from - margin(before)), at(to + margin(after))])
  }
  return found
}

function without(text: string, found: readonly Range[]): string {
  let out = ''
  let reached = 0
  for (const [from, to] of found.toSorted(([one], [other]) => one - other)) {
    if (from >= reached) out += `${text.slice(reached, from)}…`
    reached = Math.max(reached, to)
  }
  return out + text.slice(reached)
}
