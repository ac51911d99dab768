import { type Sql, sql, text } from '../sql.js'
import { objectOfTexts } from '../type/json-array.js'
import { once, type Value } from '../value.js'
import { present } from './present.js'

/** Returns the members of an object of strings; `group` returns the string that a group of the regex matches. */
type Members = (group: (number: number) => Sql) => Readonly<Record<string, Sql>>

/** Returns the parts of a string as an object. The regex is literal and matches every string; its brackets have no parentheses. */
export function partsOf(source: Value, regex: string, members: Members): Value {
  const whole = present('dynamic', [source], (s) =>
    once(sql`extractGroups(${s!}, ${text(regex)})`, (groups) =>
      objectOfTexts(members((number) => sql`${groups}[${number}]`)),
    ),
  )
  // A single part is read without the other groups and without JSON.
  const inSource = (s: Sql) =>
    members((number) => sql`extract(${s}, ${text(onlyGroup(number, regex))})`)
  const texts = Object.keys(inSource(source.sql)).map((name) => {
    const part = present('string', [source], (s) => inSource(s!)[name]!)
    return [name, part.sql] as const
  })
  return { ...whole, texts: Object.fromEntries(texts) }
}

/** Returns a regex in which only the group with this number captures. */
export function onlyGroup(number: number, regex: string): string {
  let group = 0
  return regex.replace(/\\.|\((?!\?)/gs, (sign) => {
    if (sign !== '(') return sign
    group += 1
    return group === number ? sign : '(?:'
  })
}
