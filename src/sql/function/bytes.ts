import { list, raw, type Sql, sql, text } from '../sql.js'
import { asText, convert } from '../type/convert.js'
import { constant, once, type Value } from '../value.js'
import { presentOrNull } from './present.js'
import type { FunctionRow } from './row.js'

const LETTERS = ['K', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const TWO = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB']
const TEN = ['Bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']
const MAX_DECIMALS = 20
/** The engine's maximum number of decimals. */
const MAX = raw('1e50')

/** `format_bytes(value, precision?, units?, base?)`: null for an invalid base or unit. */
export const formatBytes: FunctionRow = ([value, precision, units, base]) => {
  const decimals = precision ?? constant('int', 0n)
  const unit = units ?? constant('string', '')
  const values = [convert(value!, 'real'), decimals, unit, base ?? constant('int', 2n)]
  return presentOrNull('string', values, (number, places, name, by) => {
    const size = sql`multiIf(${by!} = 2, ${sizes(2, unit, name!, number!)}, ${by!} = 10, ${sizes(10, unit, name!, number!)}, 0.)`
    return once(size, (one) => {
      const amount = { number: number!, size: one, decimals, places: places! }
      const written =
        value!.type === 'real'
          ? decimal(amount)
          : once(wholeOf(value!), (whole) => decimal({ ...amount, whole }))
      const word =
        unit.constant === ''
          ? autoName(one, by!)
          : sql`if(${name!} = '', ${autoName(one, by!)}, ${name!})`
      return sql`if(${one} = 0 OR NOT abs(${number!}) < ${MAX}, NULL, concat(${written}, ' ', ${word}))`
    })
  })
}

/** Returns the size in bytes of the named unit, or of the largest unit that the number reaches; 0 for an unknown name. */
function sizes(base: 2 | 10, unit: Value, name: Sql, number: Sql): Sql {
  const steps = array((base === 2 ? TWO : TEN).map((_, i) => size(base, i)))
  const reached = sql`arrayCount(step -> abs(${number}) >= step, ${steps})`
  const auto = sql`${steps}[greatest(${reached}, 1)]`
  if (unit.constant === '') return auto
  const names = namesOf(base)
  const known = array(names.map(([word]) => text(word)))
  const named = array(names.map(([, step]) => step))
  return sql`if(${name} = '', ${auto}, transform(${name}, ${known}, ${named}, 0.))`
}

function array(elements: readonly Sql[]): Sql {
  return sql`[${list(elements)}]`
}

function size(base: 2 | 10, power: number): Sql {
  const bytes = (base === 2 ? 1024n : 1000n) ** BigInt(power)
  return sql`toFloat64(${text(String(bytes))})`
}

function namesOf(base: 2 | 10): readonly (readonly [string, Sql])[] {
  const plain = [['Bytes', size(base, 0)] as const]
  const letters = LETTERS.map((letter, i) => [letter, size(base, i + 1)] as const)
  if (base === 10) {
    return [...plain, ...letters.map(([l, s]) => [`${l === 'K' ? 'k' : l}B`, s] as const)]
  }
  return [...plain, ...letters.flatMap(([l, s]) => [[`${l}B`, s] as const, [`${l}iB`, s] as const])]
}

function autoName(size: Sql, base: Sql): Sql {
  const names = (all: readonly string[]) => array(all.map(text))
  const power = (by: number) => sql`toInt64(round(log(${size}) / log(${by}))) + 1`
  return sql`if(${base} = 2, ${names(TWO)}[${power(1024)}], ${names(TEN)}[${power(1000)}])`
}

interface Amount {
  readonly number: Sql
  /** Returns the value as an integer, or null. */
  readonly whole?: Sql
  readonly size: Sql
  readonly decimals: Value
  readonly places: Sql
}

function decimal({ number, whole, size: unit, decimals, places }: Amount): Sql {
  const known = decimals.constant
  const divided = (count: number) => {
    const within = sql`if(abs(${number}) < ${MAX}, ${number}, 0)`
    const real = sql`toDecimalString(${within} / ${unit}, ${count})`
    // A plain number of bytes is not divided, to keep all its digits.
    if (!whole) return real
    return sql`if(${unit} = 1 AND isNotNull(${whole}), toDecimalString(ifNull(${whole}, 0), ${count}), ${real})`
  }
  if (typeof known === 'bigint') return divided(Math.min(Math.max(Number(known), 0), MAX_DECIMALS))
  const all = Array.from({ length: MAX_DECIMALS + 1 }, (_, count) => divided(count))
  return sql`${array(all)}[greatest(0, least(${places}, ${MAX_DECIMALS})) + 1]`
}

function wholeOf(value: Value): Sql {
  return value.type === 'int' ? value.sql : sql`toInt64OrNull(${asText(value)})`
}

// The groups are the number, the letter of the unit, and the `i` of units that always use base 1024.
const SIZE =
  '^\\s*([0-9]+|[0-9]*\\.[0-9]+|[0-9]+\\.)\\s*(?:([KkMmGgTtPpEeZzYy]?)(i?)[Bb](?:ytes?)?)?\\s*$'

/** `parse_bytes(text, base?)`. */
export const parseBytes: FunctionRow = ([source, base]) =>
  presentOrNull('int', [source!, base ?? constant('int', 2n)], (s, by) =>
    once(sql`extractGroups(${s!}, ${text(SIZE)})`, (parts) => {
      const letters = array(['', ...LETTERS].map(text))
      const power = sql`indexOf(${letters}, upper(${parts}[2]))`
      const step = sql`if(${by!} = 2 OR ${parts}[3] = 'i', ${powers(1024n)}, ${powers(1000n)})[${power}]`
      const whole = sql`toInt256OrZero(${parts}[1]) * ${step}`
      const real = sql`trunc(toFloat64OrZero(${parts}[1]) * toFloat64(${step}))`
      const amount = sql`if(position(${parts}[1], '.') = 0, accurateCastOrNull(${whole}, 'Int64'), accurateCastOrNull(${real}, 'Int64'))`
      return sql`if(${by!} NOT IN (2, 10), NULL, if(empty(${parts}) OR length(${parts}[1]) > 40, 0, ifNull(${amount}, 0)))`
    }),
  )

function powers(base: bigint): Sql {
  const all = [1n, ...LETTERS.map((_, i) => base ** BigInt(i + 1))]
  return array(all.map((power) => sql`toInt256(${text(String(power))})`))
}
