// The host provides a module with the name of this file.

/**
 * Writes the member with the time that the texts of one or two fields form, and a comma, to the address of `setTime`; returns its
 * length: 0 without a text, and the largest number for a text that is no time. Both positions of a field that is missing are 0.
 */
export declare function hostTime(date: usize, dateEnd: usize, time: usize, timeEnd: usize): u32
