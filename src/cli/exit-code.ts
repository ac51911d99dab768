/** What a command's end tells the shell; the README lists them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  incomplete: 3,
  denied: 4,
  tooManyErrors: 5,
  assertion: 6,
  interrupted: 130,
  terminated: 143,
} as const

/** What a command ends with. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
