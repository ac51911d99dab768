const STEP = /\.([\p{L}_$][\p{L}\p{N}_$-]*|\*)|\[(?:(\d{1,9})|(\*)|'([^'\\]*)'|"([^"\\]*)")\]/uy

/** The step `*`; a symbol, because a member can have the name `*`. */
export const EVERY = Symbol('all')

/** A step of a JSON path: a member, a position from 0, or all members or elements. */
export type JsonStep = string | number | typeof EVERY

/** Returns the steps of a path such as `$.a['b c'][0][*]`; undefined for anything else. */
export function parseJsonPath(path: string): readonly JsonStep[] | undefined {
  if (!path.startsWith('$')) return undefined
  const steps: JsonStep[] = []
  STEP.lastIndex = 1
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path)
    if (found === null) return undefined
    const [, member, index, all, single, double] = found
    if (all !== undefined || member === '*') steps.push(EVERY)
    else if (index !== undefined) steps.push(Number(index))
    else steps.push(member ?? single ?? double ?? '')
  }
  return steps
}
