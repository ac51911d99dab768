// The host provides a module with the name of this file.

/** True when a number of JSON prints equal to what is written. */
export declare function isExactNumber(start: usize, end: usize): bool
