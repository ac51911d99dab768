import type { FunctionName } from '../../apl/function/functions.js'
import { ARRAY_SQL } from './array.js'
import { CHOICE_SQL } from './choice.js'
import { CONVERSION_SQL } from './conversion.js'
import { ENCODING_SQL } from './encoding.js'
import { GENAI_SQL } from './genai.js'
import { HASH_SQL } from './hash.js'
import { MATH_SQL } from './math.js'
import { METADATA_SQL } from './metadata.js'
import { NETWORK_SQL } from './network.js'
import { NUMBER_SQL } from './number.js'
import { OBJECT_SQL } from './object.js'
import { PAIR_SQL } from './pair.js'
import { PARSE_SQL } from './parse.js'
import type { FunctionRow } from './row.js'
import { SEARCH_SQL } from './search.js'
import { SERIES_ELEMENT_SQL } from './series-element.js'
import { SERIES_WHOLE_SQL } from './series-whole.js'
import { SET_SQL } from './set.js'
import { TEXT_SQL } from './text.js'
import { TIME_SQL } from './time.js'
import { TRIM_SQL } from './trim.js'
import { TYPE_SQL } from './type.js'

export const FUNCTIONS_SQL: Readonly<Record<FunctionName, FunctionRow>> = {
  ...TEXT_SQL,
  ...ENCODING_SQL,
  ...HASH_SQL,
  ...PAIR_SQL,
  ...PARSE_SQL,
  ...SEARCH_SQL,
  ...TRIM_SQL,
  ...TYPE_SQL,
  ...CONVERSION_SQL,
  ...TIME_SQL,
  ...NUMBER_SQL,
  ...MATH_SQL,
  ...CHOICE_SQL,
  ...ARRAY_SQL,
  ...METADATA_SQL,
  ...SERIES_ELEMENT_SQL,
  ...SERIES_WHOLE_SQL,
  ...OBJECT_SQL,
  ...SET_SQL,
  ...GENAI_SQL,
  ...NETWORK_SQL,
}
