import { ANY, type Signature } from '../signature.js'

/** Functions on objects. */
export const OBJECT_FUNCTIONS = {
  bag_has_key: {
    parameters: [
      { name: 'object', accepts: ['dynamic'] },
      { name: 'key', accepts: ['string'] },
    ],
    result: 'bool',
    summary: 'true for an object that has a member of that key',
  },
  bag_keys: {
    parameters: [{ name: 'object', accepts: ['dynamic'] }],
    result: 'dynamic',
    summary: 'the keys of an object as an array; null for anything but an object',
  },
  bag_pack: {
    parameters: [{ name: 'key, value, …', accepts: ANY, repeated: true }],
    result: 'dynamic',
    summary: 'an object of these members; of all columns when given `*`',
  },
  bag_zip: {
    parameters: [
      { name: 'keys', accepts: ['dynamic'] },
      { name: 'values', accepts: ['dynamic'] },
    ],
    result: 'dynamic',
    summary: 'an object of an array of keys and an array of values, as long as the shorter',
  },
  pack_dictionary: {
    parameters: [{ name: 'key, value, …', accepts: ANY, repeated: true }],
    result: 'dynamic',
    summary: 'an object of these members, whose keys are written out',
  },
} satisfies Record<string, Signature>
