/** A column whose values are members of the remainders of events, which are JSON objects. */
export interface MemberColumn {
  readonly column: number
  readonly path: readonly string[]
  /** True when an object at the path is not a value: its members are separate fields. */
  readonly isNoObject: boolean
}
