// The sizes of memory that several files need. The host writes the schema after all of the memory that is reserved here.

/** The most bytes that the host passes at once. */
export const CHUNK_BYTES: usize = 1 << 20
/** The host reads longer lines: the memory must hold all of a line. */
export const MAX_LINE_BYTES: usize = 1 << 20
