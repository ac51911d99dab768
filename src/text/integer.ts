/** Formats an integer with thousands separators: `1,234,567`. `Intl.NumberFormat` costs 10 ms on first use. */
export function formatInteger(integer: number | bigint): string {
  return String(integer).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Formats a count with its noun: `1 event`, `100,000 events`, `2 batches`. */
export function counted(count: number, noun: string): string {
  const ending = count === 1 ? '' : noun.endsWith('ch') ? 'es' : 's'
  return `${formatInteger(count)} ${noun}${ending}`
}

/** True for an integer that fits in 64 bits with its sign. */
export function isInt64(integer: bigint): boolean {
  return BigInt.asIntN(64, integer) === integer
}
