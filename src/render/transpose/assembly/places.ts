/** Two for each value, column by column: where it begins and where it ends. */
export const PLACE_BYTES: usize = 8

/**
 * On the first: a string with escapes, or a nested value with line ends. On the second: a string with a
 * comma in it, or a nested value with a comma, a quote or a tab.
 */
export const MARK: u32 = 0x8000_0000

/** Takes the mark off. */
export const PLACE: u32 = 0x7fff_ffff
