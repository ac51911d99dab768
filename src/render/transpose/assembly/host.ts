// JavaScript functions that encode the rare cells that cannot be copied.

/** Writes a cell given as JSON to `out` in the output format; returns the number of bytes written. */
export declare function encodeJson(start: usize, end: usize, out: usize): usize

/** Writes a cell given as text in the same way. */
export declare function encodeText(start: usize, end: usize, out: usize): usize
