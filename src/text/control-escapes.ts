/** The characters that a backslash and a letter stand for in the strings of most languages. */
export const CONTROL_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
