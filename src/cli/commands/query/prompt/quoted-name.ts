/** Returns the name of a dataset or field as APL writes it with brackets and quotes. */
export function quotedName(name: string): string {
  return quotedWith("['")(name)
}

/** Returns a function that quotes a name with the bracket and quote already written. */
export function quotedWith(written: string): (name: string) => string {
  const [open = "['"] = /^\[\s*['"]/.exec(written) ?? []
  const quote = open.slice(-1)
  const inside = (name: string) => name.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
  return (name) => `${open}${inside(name)}${quote}]`
}
