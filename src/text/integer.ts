/** Formats an integer with thousands separators: `1,234,567`. `Intl.NumberFormat` costs 10 ms on first use. */
export function formatInteger(integer: number | bigint): string {
  return String(integer).replace(/\B(?=(\d{3})+$)/g, ',')
}
