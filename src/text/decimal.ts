/**
 * True when the double that is closest to a number of JSON prints as the same number, perhaps in another form: `1.50` as `1.5`,
 * `6.3e-05` as `0.000063`.
 */
export function printsEqual(text: string): boolean {
  const printed = String(Number(text))
  return printed === text || decimalOf(text) === decimalOf(printed)
}

/** Returns a canonical form of the absolute value: significant digits and a power of ten. */
function decimalOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  const significant = digits.slice(0, end)
  if (significant === '') return '0'
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}
