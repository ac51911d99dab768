/** Returns a function of values of several kinds that calls the function for the kind of the value. */
export function byKind<
  Value extends { readonly kind: string },
  More extends readonly unknown[],
  Result,
>(
  functions: {
    readonly [Kind in Value['kind']]: (
      value: Value & { readonly kind: Kind },
      ...more: More
    ) => Result
  },
): (value: Value, ...more: More) => Result {
  return (value, ...more) => functions[value.kind as Value['kind']](value as never, ...more)
}
