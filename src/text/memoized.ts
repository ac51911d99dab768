/** Returns a function that converts each object once, as long as the object is used: its results can be compared by identity. */
export function memoized<From extends object, To>(convert: (from: From) => To): (from: From) => To {
  return kept(new WeakMap(), convert)
}

/** Returns a function that converts each string once, and keeps the results: for strings of which there are few. */
export function memoizedText<Text extends string, To>(
  convert: (from: Text) => To,
): (from: Text) => To {
  return kept(new Map(), convert)
}

interface Results<From, To> {
  get(from: From): To | undefined
  set(from: From, to: To): unknown
}

function kept<From, To>(known: Results<From, To>, convert: (from: From) => To): (from: From) => To {
  return (from) => {
    const found = known.get(from)
    if (found !== undefined) return found
    const made = convert(from)
    known.set(from, made)
    return made
  }
}
