// Bash hands over no words: it takes `:` and `=` for words of their own, and leaves quotes where they are.

/** A command line up to the cursor, as bash reads it. */
interface BashLine {
  /** The words behind the program's, without their quotes; the last may be half a word, or empty. */
  readonly words: readonly string[]
  /** What has to stand in place of the piece of the last word that bash replaces. */
  readonly offer: (word: string) => string
}

type Quote = '"' | "'" | undefined

/** Reads a line; `breaks` are the characters behind which bash completes anew. */
export function readBashLine(line: string, breaks: string): BashLine {
  const words: string[] = []
  let word = ''
  let isWord = false
  let quote: Quote
  // Where in the last word the piece begins that bash replaces.
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
    words: [...words, word].slice(1),
    offer: (whole) => quoted(whole.slice(start), quote),
  }
}

/** A character, with the backslash before it where that is more than a backslash. */
function tokenAt(line: string, at: number, quote: Quote): string {
  return line.slice(at, at + (line[at] === '\\' && quote !== "'" ? 2 : 1))
}

function quoteAfter(token: string, quote: Quote): Quote {
  if (token !== '"' && token !== "'") return quote
  if (quote === undefined) return token
  return token === quote ? undefined : quote
}

/** In double quotes, a backslash stands for itself before most characters. */
function unescaped(token: string, quote: Quote): string {
  if (token.length < 2) return quote === undefined && token === '\\' ? '' : token
  return quote === undefined || /^\\["$`\\]/.test(token) ? token.slice(1) : token
}

/** The text as it has to be written behind an open quote, or behind none. */
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
