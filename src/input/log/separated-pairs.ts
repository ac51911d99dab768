/** The key of a pair, and a value in quotes, as regular expressions. */
export const KEY = '[A-Za-z_@][\\w.@/-]{0,128}'
export const QUOTED = '"(?:[^"\\\\]|\\\\.)*"'
const FIRST_SEPARATED = new RegExp(`^\\s*${KEY}=(?:${QUOTED}|[^"=,;|\\t]*)([,;|\\t])`)

/** The expressions for each sign. No value without quotes contains an equals sign, which would follow another key. */
const SEPARATED = Object.fromEntries(
  [',', ';', '|', '\t'].map((sign) => {
    const bare = `(?!\\s*")(?:[^=${sign}]|[${sign}](?!\\s*(?:${KEY}=|$)))*`
    const pair = `\\s*(${KEY})=(\\s*${QUOTED}\\s*|${bare})`
    const isLine = new RegExp(`^(?:${pair}[${sign}](?=.))+${pair}[${sign}]?\\s*$`)
    return [sign, { isLine, pair: new RegExp(pair, 'g') }]
  }),
)

/** Returns pairs with spaces between them; undefined when no sign separates them. */
export function separatedPairs(line: string): string | undefined {
  const [, sign] = FIRST_SEPARATED.exec(line) ?? []
  const separated = sign === undefined ? undefined : SEPARATED[sign]
  if (!separated?.isLine.test(line)) return undefined
  const pairs = Array.from(line.matchAll(separated.pair), ([, key, written = '']) => {
    const value = written.trim()
    return `${key}=${/^[^"].*\s/.test(value) ? JSON.stringify(value) : value}`
  })
  return pairs.join(' ')
}
