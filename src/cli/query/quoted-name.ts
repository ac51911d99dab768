import { escapeControls } from '../../render/escape-controls.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'

/** Returns the name of a dataset or field in the APL form with brackets and quotes. */
export function quotedName(name: string): string {
  return quotedWith("['")(name)
}

/** Returns a function that quotes a name with the bracket and quote already written. */
export function quotedWith(written: string): (name: string) => string {
  const [open = "['"] = /^\[\s*['"]/.exec(written) ?? []
  const quote = open.slice(-1)
  return (name) => `${open}${insideQuotes(name, quote)}${quote}]`
}

/** Returns a time, in nanoseconds since 1970, as a query writes it. */
export function instantText(time: bigint): string {
  return `datetime(${formatTimestamp(time)})`
}

/** Returns a text in the form of APL between quotes. Control characters are escaped, so that the text can be shown and typed. */
export function insideQuotes(text: string, quote: string): string {
  return escapeControls(text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`))
}
