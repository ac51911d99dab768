const UNITS = ['B', 'KiB', 'MiB', 'GiB']

/** Formats a number of bytes that is a whole number of its unit: `64 MiB`. */
export function binarySize(bytes: number, space = ' '): string {
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  return `${bytes / 1024 ** power}${space}${UNITS[power]}`
}
