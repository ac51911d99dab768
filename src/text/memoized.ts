/** Returns a function that converts each object once, as long as the object is used: its results can be compared by identity. */
export function memoized<From extends object, To>(convert: (from: From) => To): (from: From) => To {
  const known = new WeakMap<From, To>()
  return (from) => {
    const found = known.get(from)
    if (found !== undefined) return found
    const made = convert(from)
    known.set(from, made)
    return made
  }
}
