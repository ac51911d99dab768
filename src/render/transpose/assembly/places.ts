/** Two `u32`s per value, column by column: its start and its end. */
export const PLACE_BYTES: usize = 8

/**
 * Flag on the start: a string with escapes, or a nested value with line ends. On the end: a string with a comma, or a
 * nested value with a comma, a quote or a tab.
 */
export const MARK: u32 = 0x8000_0000

/** Mask that removes the flag. */
export const PLACE: u32 = 0x7fff_ffff
