const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '0': '\0',
  '\\': '\\',
  '/': '/',
  '"': '"',
  "'": "'",
}

/** A string's value, or where in `body` an escape is that means nothing. */
type EscapeResult = { readonly value: string } | { readonly bad: number; readonly length: number }

/** What stands between the quotes, with its backslash escapes read. */
export function readEscapes(body: string): EscapeResult {
  let value = ''
  let from = 0
  for (let at = body.indexOf('\\'); at !== -1; at = body.indexOf('\\', from)) {
    value += body.slice(from, at)
    const code = /^\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(body.slice(at, at + 6))
    const simple = ESCAPES[body[at + 1] ?? '']
    if (code !== null) value += String.fromCharCode(parseInt((code[1] ?? code[2])!, 16))
    else if (simple !== undefined) value += simple
    else return { bad: at, length: Math.min(2, body.length - at) }
    from = at + (code === null ? 2 : code[0].length)
  }
  return { value: value + body.slice(from) }
}

/** A string as it is written in a query, in double quotes. */
export function quote(value: string): string {
  // JSON's escapes are all escapes here too; a lone surrogate is written as \uXXXX.
  return JSON.stringify(value)
}
