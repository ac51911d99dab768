import { ANY, parameter, repeated, type Signature, signature } from './signature.js'

const OBJECT = parameter('object', 'dynamic')

export const OBJECT_FUNCTIONS = {
  bag_has_key: signature([OBJECT, parameter('key', 'string')], 'bool')(
    'true if the object has the key',
    'print bag_has_key(dynamic({"user": "ann"}), "user") // true',
  ),
  bag_keys: signature([OBJECT], 'dynamic')(
    'the keys of an object as an array; null unless the value is an object',
    'print bag_keys(dynamic({"a": 1, "b": 2})) // ["a","b"]',
  ),
  bag_pack: signature([repeated('key, value, …', ...ANY)], 'dynamic')(
    'an object of the key-value pairs; `*` stands for all columns',
    'print bag_pack("user", "ann", "code", 7) // {"user":"ann","code":7}',
  ),
  bag_zip: signature([parameter('keys', 'dynamic'), parameter('values', 'dynamic')], 'dynamic')(
    'an object from an array of keys and an array of values, as long as the shorter one',
    'print bag_zip(dynamic(["a", "b"]), dynamic([1, 2])) // {"a":1,"b":2}',
  ),
  pack_dictionary: signature([repeated('key, value, …', ...ANY)], 'dynamic')(
    'an object of the key-value pairs; keys are constants',
    'print pack_dictionary("user", "ann") // {"user":"ann"}',
  ),
} satisfies Record<string, Signature>
