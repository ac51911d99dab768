import { isConventional } from './semantic-conventions.js'

/** The name of an attribute as a member of an event. */
interface MemberName {
  readonly utf8: Uint8Array
  /** The beginning of the member in JSON, after a comma: `,"attributes.http.route":`. */
  readonly json: Buffer
  /** True for a name outside of the semantic conventions, which is a key of the section's map `custom`. */
  readonly isCustom: boolean
  /** The beginning of the same member at the top level, for the few attributes that are also top-level fields. */
  readonly top?: Buffer
}

/** Resource attributes that are also fields without `resource.`, as in the hosted service. */
const TOP_LEVEL = ['service.name', 'service.version']

/** The number of slots, a power of two. */
const SLOTS = 1024

/**
 * A cache of the member names of a section such as `attributes`, by attribute name, since requests repeat the same names. Each slot
 * keeps one name, so that any number of names takes little memory.
 */
export class MemberNames {
  private readonly section: string
  private readonly slots: (MemberName | undefined)[] = new Array(SLOTS).fill(undefined)

  constructor(section: string) {
    this.section = section
  }

  /** Returns the member name of the attribute whose name is at `from` to `to` in `source`. */
  find(source: Uint8Array, from: number, to: number): MemberName {
    let hash = to - from
    for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + source[i]!) | 0
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    const known = this.slots[slot]
    if (known !== undefined && isSame(known.utf8, source, from, to)) return known
    const made = memberName(this.section, Buffer.from(source.subarray(from, to)))
    this.slots[slot] = made
    return made
  }
}

function memberName(section: string, utf8: Buffer): MemberName {
  const name = utf8.toString()
  const isCustom = !isConventional(name)
  return {
    utf8,
    json: member(isCustom ? name : `${section}.${name}`),
    isCustom,
    ...(section === 'resource' && TOP_LEVEL.includes(name) && { top: member(name) }),
  }
}

/** Returns the beginning of a member in JSON, after a comma. */
export function member(name: string): Buffer {
  return Buffer.from(`,${JSON.stringify(name)}:`)
}

function isSame(known: Uint8Array, source: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false
  for (let i = 0; i < known.length; i++) if (known[i] !== source[from + i]) return false
  return true
}
