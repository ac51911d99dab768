import { ARRAY_FUNCTIONS } from './array.js'
import { CHOICE_FUNCTIONS } from './choice.js'
import { CONVERSION_FUNCTIONS } from './conversion.js'
import { ENCODING_FUNCTIONS } from './encoding.js'
import { GENAI_FUNCTIONS } from './genai.js'
import { HASH_FUNCTIONS } from './hash.js'
import { MATH_FUNCTIONS } from './math.js'
import { METADATA_FUNCTIONS } from './metadata.js'
import { NETWORK_FUNCTIONS } from './network.js'
import { NUMBER_FUNCTIONS } from './number.js'
import { OBJECT_FUNCTIONS } from './object.js'
import { PAIR_FUNCTIONS } from './pair.js'
import { PARSE_FUNCTIONS } from './parse.js'
import { SEARCH_FUNCTIONS } from './search.js'
import { SERIES_ELEMENT_FUNCTIONS, SERIES_WHOLE_FUNCTIONS } from './series.js'
import { SET_FUNCTIONS } from './set.js'
import type { Signature } from './signature.js'
import { TEXT_FUNCTIONS } from './text.js'
import { TIME_FUNCTIONS } from './time.js'
import { TRIM_FUNCTIONS } from './trim.js'
import { TYPE_FUNCTIONS } from './type.js'

/** The scalar functions by family, as the reference lists them. */
export const FUNCTION_FAMILIES = {
  Strings: TEXT_FUNCTIONS,
  'Search in strings': SEARCH_FUNCTIONS,
  Trimming: TRIM_FUNCTIONS,
  'Parsing and formatting': PARSE_FUNCTIONS,
  Encoding: ENCODING_FUNCTIONS,
  Hashes: HASH_FUNCTIONS,
  Pairs: PAIR_FUNCTIONS,
  'Dates and times': TIME_FUNCTIONS,
  Numbers: NUMBER_FUNCTIONS,
  Mathematics: MATH_FUNCTIONS,
  Conditions: CHOICE_FUNCTIONS,
  Types: TYPE_FUNCTIONS,
  Conversion: CONVERSION_FUNCTIONS,
  Arrays: ARRAY_FUNCTIONS,
  Sets: SET_FUNCTIONS,
  Objects: OBJECT_FUNCTIONS,
  Series: { ...SERIES_ELEMENT_FUNCTIONS, ...SERIES_WHOLE_FUNCTIONS },
  'IP addresses': NETWORK_FUNCTIONS,
  'Fields and ingestion': METADATA_FUNCTIONS,
  'Conversations with language models': GENAI_FUNCTIONS,
}

type Families = typeof FUNCTION_FAMILIES
export type FunctionName = { [Family in keyof Families]: keyof Families[Family] }[keyof Families]

/** The scalar functions by name. A new one is a row in `function/` here and one in `sql/function/`. */
export const FUNCTIONS = Object.assign({}, ...Object.values(FUNCTION_FAMILIES)) as Readonly<
  Record<FunctionName, Signature>
>

export const FUNCTION_ALIASES: Readonly<Record<string, FunctionName>> = {
  iif: 'iff',
  monthofyear: 'getmonth',
  pack: 'bag_pack',
  replace: 'replace_regex',
  tolong: 'toint',
  toreal: 'todouble',
}

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name)
}
