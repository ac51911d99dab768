import type { FunctionName } from '../apl/functions.js'
import { ARRAY_SQL } from './function/array.js'
import { CHOICE_SQL } from './function/choice.js'
import { CONVERSION_SQL } from './function/conversion.js'
import { ENCODING_SQL } from './function/encoding.js'
import { GENAI_SQL } from './function/genai.js'
import { HASH_SQL } from './function/hash.js'
import { MATH_SQL } from './function/math.js'
import { METADATA_SQL } from './function/metadata.js'
import { NETWORK_SQL } from './function/network.js'
import { NUMBER_SQL } from './function/number.js'
import { OBJECT_SQL } from './function/object.js'
import { PAIR_SQL } from './function/pair.js'
import { PARSE_SQL } from './function/parse.js'
import type { FunctionRow } from './function/row.js'
import { SEARCH_SQL } from './function/search.js'
import { SERIES_ELEMENT_SQL } from './function/series-element.js'
import { SERIES_WHOLE_SQL } from './function/series-whole.js'
import { SET_SQL } from './function/set.js'
import { TEXT_SQL } from './function/text.js'
import { TIME_SQL } from './function/time.js'
import { TRIM_SQL } from './function/trim.js'
import { TYPE_SQL } from './function/type.js'

/** What each function is in SQL. */
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
