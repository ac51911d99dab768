// Bash passes a line instead of words: it would split words at `:` and `=` and leave quotes in them.

type Quote = '"' | "'" | undefined

/** Parses a command line up to the cursor; `breaks` are the characters after which bash starts a new word for completion. */
export function readBashLine(line: string, breaks: string) {
  const words: string[] = []
  let word = ''
  let isWord = false
  let quote: Quote
  // The offset in the last word of the part that bash replaces.
  let start = 0
  for (let at = 0; at < line.length; ) {
    const token = tokenAt(line, at, quote)
    at += token.length
    if (quote === undefined && /^\s/.test(token)) {
      if (isWord) words.push(word)
      ;[word, isWord, start] = ['', false, 0]
      continue
    }
    isWord = true
    const next = quoteAfter(token, quote)
    if (next !== quote) {
      quote = next
      start = word.length
    } else {
      word += unescaped(token, quote)
      if (quote === undefined && breaks.includes(token)) start = word.length
    }
  }
  return {
    /** The words after the program's name, without quotes; the last one may be incomplete or empty. */
    words: [...words, word].slice(1),
    /** Returns the replacement for the part of the last word that bash replaces. */
    offer: (whole: string) => quoted(whole.slice(start), quote),
  }
}

/** Returns the character at an offset, together with a preceding backslash that escapes it. */
function tokenAt(line: string, at: number, quote: Quote): string {
  return line.slice(at, at + (line[at] === '\\' && quote !== "'" ? 2 : 1))
}

function quoteAfter(token: string, quote: Quote): Quote {
  if (token !== '"' && token !== "'") return quote
  if (quote === undefined) return token
  return token === quote ? undefined : quote
}

/** Removes the backslash of an escape. In double quotes it is literal in front of most characters. */
function unescaped(token: string, quote: Quote): string {
  if (token.length < 2) return quote === undefined && token === '\\' ? '' : token
  return quote === undefined || /^\\["$`\\]/.test(token) ? token.slice(1) : token
}

/** Escapes a text for its place: after an open quote, or outside of quotes. */
function quoted(text: string, quote: Quote): string {
  switch (quote) {
    case "'":
      return text.replaceAll("'", "'\\''")
    case '"':
      return text.replaceAll(/["$`\\]/g, '\\$&')
    case undefined:
      return text.replaceAll(/[\s!"#$&'()*;<>?[\\\]^`{|}~]/g, '\\$&')
    default:
      return quote satisfies never
  }
}
