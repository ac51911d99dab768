// JavaScript functions that encode the rare cells that cannot be copied.

/** Writes a cell given as JSON to `out` in the output format; returns the number of bytes written. */
export declare function encodeJson(start: usize, end: usize, out: usize): usize

/** Writes a cell given as text in the same way. */
export declare function encodeText(start: usize, end: usize, out: usize): usize

/** Writes a cell given as JSON that is not as the engine writes it in the same way. `isInside` is true for a member of an object. */
export declare function encodeForeign(start: usize, end: usize, out: usize, isInside: bool): usize

/** Writes a number in the same way. */
export declare function encodeReal(value: f64, out: usize): usize

/** Writes a key without its escapes to `out`; returns the number of bytes. */
export declare function decodeKey(start: usize, end: usize, out: usize): usize
