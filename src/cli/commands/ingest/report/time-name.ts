const WHOLE = /^(?:@?timestamp|ts|time|date|datetime|__REALTIME_TIMESTAMP)$/i
const LAST_PART = /[._](?:at|on|ts|time|timestamp|date|datetime)$|[a-z](?:At|Time|Timestamp|Date)$/

/** Whether events tend to carry their time under this name. */
export function isNameOfTime(field: string): boolean {
  return WHOLE.test(field) || LAST_PART.test(field)
}
