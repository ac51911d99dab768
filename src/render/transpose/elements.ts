/** Lines of NDJSON as elements of an array, after its `[` or the elements before them. */
export function arrayElements(lines: Uint8Array, isFirst: boolean): Uint8Array {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length - 1).toString('latin1')
  return Buffer.from(`${isFirst ? '[' : ','}\n${text.replaceAll('\n', ',\n')}`, 'latin1')
}

/** What stands behind the last element. */
export function arrayEnd(isEmpty: boolean): string {
  return isEmpty ? '[]\n' : '\n]\n'
}
