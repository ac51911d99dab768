import { list, raw, sql } from '../sql.js'
import { asText } from '../type/convert.js'
import { derived } from '../value.js'
import type { FunctionRow } from './row.js'

export const HASH_SQL = {
  hash: (values) => {
    const [source, ...salt] = values
    // The engine hashes the bytes of an integer, and a literal has as few as hold it.
    const parts = [asText(source!), ...salt.map((value) => sql`toInt64(${value.sql})`)]
    return derived('int', sql`reinterpretAsInt64(xxHash64(${list(parts)}))`, values)
  },
  hash_md5: digest('MD5'),
  hash_sha1: digest('SHA1'),
  hash_sha256: digest('SHA256'),
  hash_sha512: digest('SHA512'),
} satisfies Record<string, FunctionRow>

function digest(name: string): FunctionRow {
  return ([source]) =>
    derived('string', sql`lower(hex(${raw(name)}(${asText(source!)})))`, [source!])
}
