/** The most lines of a request: the reasons for rejected ones must fit in memory and in a response. */
export const MAX_LINES = 1_048_576
