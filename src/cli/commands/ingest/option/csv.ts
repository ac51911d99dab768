import { Option } from 'commander'
import { UsageError } from '../../../error/usage-error.js'

/** An option that takes the names of columns, with commas between them. */
export function csvFieldsOption(flags: string): Option {
  const option = new Option(flags, 'the columns of CSV that has no header line: a,b,c')
  return option.argParser((value: string): readonly string[] => {
    const names = value.split(',').map((name) => name.trim())
    if (names.includes('')) {
      throw new UsageError(
        `\`${option.long}\` takes names with commas between them, not \`${value}\`.`,
      )
    }
    const twice = names.find((name, i) => names.indexOf(name) < i)
    if (twice === undefined) return names
    throw new UsageError(`\`${option.long}\` names the column \`${twice}\` twice.`)
  })
}

/** An option that takes what stands between the columns. */
export function delimiterOption(flags: string): Option {
  const option = new Option(flags, 'what stands between the columns of CSV; `\\t` is a tab (,)')
  return option.argParser((value: string) => {
    const delimiter = value === '\\t' ? '\t' : value
    if (/^[\t\u0020-\u0021\u0023-\u007e]$/.test(delimiter)) return delimiter
    throw new UsageError(
      `\`${option.long}\` takes one character of ASCII that is no quote, such as \`;\` or \`\\t\`, not \`${value}\`.`,
    )
  })
}
