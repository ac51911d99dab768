import { Option } from 'commander'
import { parseExactJson } from '../../wire/json/exact-json.js'
import { parseJson } from '../../wire/json/json-object.js'
import { UsageError } from '../error/usage-error.js'
import { nameAndValue } from './option.js'

export type Params = Readonly<Record<string, unknown>>

/** `-p name=value`, any number of times. */
export function paramOption(): Option {
  return new Option(
    '-p, --param <name=value>',
    'set a parameter of the query: n=5, s=text',
  ).argParser((text: string, before: Params | undefined): Params => ({ ...before, ...param(text) }))
}

/** Parses a parameter. The values of `n=5`, `ok=true`, `list=[1,2]` and `s="5"` are JSON; any other value is a string. */
function param(text: string): Params {
  const [name, written] = nameAndValue(text, '--param')
  const read = parseJson(written, parseExactJson)
  const value = read === undefined ? written : read
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new UsageError(
      `\`--param ${name}\` is out of the range of a 64-bit float: \`${written}\`.`,
    )
  }
  return { [name]: value }
}
