import { ANY, type Signature } from '../signature.js'
import type { Type } from '../type.js'

/** A real number has several texts, so no hash follows from it. */
const HASHED: readonly Type[] = ANY.filter((type) => type !== 'real')

/** Functions that make a number or a text of fixed length out of any value. */
export const HASH_FUNCTIONS = {
  hash: {
    parameters: [
      { name: 'source', accepts: HASHED },
      { name: 'salt', accepts: ['int'], optional: true },
    ],
    result: 'int',
    summary: 'a number of 64 bits that follows from the value; not the same in every version',
  },
  hash_md5: {
    parameters: [{ name: 'source', accepts: ANY }],
    result: 'string',
    summary: 'the MD5 of the value as text, in 32 hexadecimal digits',
  },
  hash_sha1: {
    parameters: [{ name: 'source', accepts: ANY }],
    result: 'string',
    summary: 'the SHA-1 of the value as text, in 40 hexadecimal digits',
  },
  hash_sha256: {
    parameters: [{ name: 'source', accepts: ANY }],
    result: 'string',
    summary: 'the SHA-256 of the value as text, in 64 hexadecimal digits',
  },
  hash_sha512: {
    parameters: [{ name: 'source', accepts: ANY }],
    result: 'string',
    summary: 'the SHA-512 of the value as text, in 128 hexadecimal digits',
  },
} satisfies Record<string, Signature>
