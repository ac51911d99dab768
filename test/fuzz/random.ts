/** Pseudo-random choices that depend only on the seed. */
export interface Random {
  /** An integer from 0 to below the bound. */
  below(bound: number): number
  /** True with this probability in percent. */
  percent(chance: number): boolean
  pick<T>(choices: readonly T[]): T
  /** A list of `least` to `most` elements. */
  times<T>(least: number, most: number, make: (index: number) => T): readonly T[]
}

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x2545f491) >>> 0
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
  return {
    below,
    percent: (chance) => below(100) < chance,
    pick: (choices) => choices[below(choices.length)]!,
    times: (least, most, make) =>
      Array.from({ length: least + below(most - least + 1) }, (_, i) => make(i)),
  }
}
