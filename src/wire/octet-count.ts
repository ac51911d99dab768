/** The maximum number of digits of the length of a frame (RFC 6587, octet counting); more digits are the beginning of a line. */
export const MAX_LENGTH_DIGITS = 9
