import { type Signature, signature } from './signature.js'

export const OBJECT_FUNCTIONS = {
  bag_has_key: signature('object: dynamic, key: string', 'bool')(
    'true if the object has the key',
    'print bag_has_key(dynamic({"user": "ann"}), "user") // true',
  ),
  bag_keys: signature('object: dynamic', 'dynamic')(
    'the keys of an object as an array; null unless the value is an object',
    'print bag_keys(dynamic({"a": 1, "b": 2})) // ["a","b"]',
  ),
  bag_pack: signature('key, value, …', 'dynamic')(
    'an object of the key-value pairs; `*` stands for all columns',
    'print bag_pack("user", "ann", "code", 7) // {"user":"ann","code":7}',
  ),
  bag_zip: signature('keys: dynamic, values: dynamic', 'dynamic')(
    'an object from an array of keys and an array of values, as long as the shorter one',
    'print bag_zip(dynamic(["a", "b"]), dynamic([1, 2])) // {"a":1,"b":2}',
  ),
  pack_dictionary: signature('key, value, …', 'dynamic')(
    'an object of the key-value pairs',
    'print pack_dictionary("user", "ann") // {"user":"ann"}',
  ),
} satisfies Record<string, Signature>
