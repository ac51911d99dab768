// Functions of JavaScript, for cells that are rarely special enough to need them.

/** Writes a cell given as JSON to `out` in the output format; returns the number of bytes written. */
export declare function encodeJson(start: usize, end: usize, out: usize): usize

/** The same for a cell given as text. */
export declare function encodeText(start: usize, end: usize, out: usize): usize
