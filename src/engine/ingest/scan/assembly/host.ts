// Rare forms of values are read by the host; their text is from `start` to `end`. The host provides a module with the name of this
// file.

/** Returns the nanoseconds since 1970 of a time, `NO_TIME` when the text is not a time. `isString` is true for a string, without its quotes. */
export declare function hostTime(start: usize, end: usize, isString: bool): i64

/** True when the values of a member without a slot are not wanted; its key, as slots have it, is from `start` to `end`, without its quote. */
export declare function hostSkips(object: usize, start: usize, end: usize): bool

/** Returns the double that is closest to a number. */
export declare function hostReal(start: usize, end: usize): f64
