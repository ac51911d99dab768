/**
 * The names that loggers, log shippers and services give to the event time, the most reliable first, in lower case and
 * without spaces, `_`, `-`, `/` and `&`. Dots separate the keys of nested objects.
 */
const NAMES: readonly string[] = [
  // ECS and Logstash; zap, structlog, GELF, GCP and many others; Serilog; pino, slog, logrus, zerolog and Docker; Caddy.
  '@timestamp timestamp @t time ts datetime @ts @time',
  // CloudTrail, CloudWatch and Lambda, journald, Python, Log4j.
  'eventtime eventtimestamp realtimetimestamp asctime log.time log.timestamp timemillis',
  'timegenerated requestreceivedtimestamp edgestarttimestamp timeiso8601 timelocal localtime starttime',
  'loggedat published createdat created date instant.epochsecond',
  // Windows events, clouds, security tools, CouchDB, Apache Ranger and others.
  'timecreated.systemtime timecreated.#attributes.systemtime timecreated utctime dateandtime',
  'eventreceivedtime event.created eventdatetime activitydatetime eventcreatedtime',
  'eventcreationtime creationtime receivetimestamp ingestiontime unixtime epoch epochtime',
  'eventts evttime logtime record.time.timestamp logtimestamp timestamplocal dt timeunixnano',
  'observedtimeunixnano messagetime msgtimestamp syslogtimestamp occurredat occurred when clock',
  // Kubernetes events and audit, Google Workspace, Salesforce, Sentry, Entra, Office 365, Slack, Route 53, CrowdStrike.
  'lasttimestamp stagetimestamp id.time eventdate createddate datecreated createddatetime',
  'creationdate datecreate querytimestamp contexttimestamp',
  // HAR, Carbon Black, Matrix, Home Assistant, Alertmanager, kubectl.
  'starteddatetime devicetimestamp originserverts lastchanged startsat creationtimestamp t at',
  'sentat receivedat updatedat updated start begin timelocaliso requesttime',
  // Akamai, and tables of Palo Alto's firewalls.
  'reqtime receivetime generatetime',
  // Windows' Event Viewer and spreadsheets in other languages.
  'datumunduhrzeit dateetheure fechayhora dataeora dataehora datumentijd dataigodzina датаивремя 日期和时间 日期和時間 日付と時刻 날짜및시간',
  'datumuhrzeit datumzeit dateheure fechahora dataora datahora датавремя 日付時刻',
  'zeitstempel zeitpunkt zeit datum horodatage fecha 时间 時間 时间戳 日期时间 日時 시간 время дата',
].flatMap((names) => names.split(' '))
const RANKS = new Map(NAMES.map((name, rank) => [name, rank]))
/** A unit or a zone at the end of a name, perhaps in brackets. */
const UNIT =
  /[. ]?[[(]?(?:utc|gmt|ms|us|ns|(?:milli|micro|nano)?sec(?:ond)?s?|millis|micros|nanos)[\])]?$/
/** Objects around the fields of an event: other times in them may belong to the thing that the event is about. */
const ENVELOPE =
  /^(?:metadata|meta|header|headers|envelope|context)\.(?=(?:event\w+|time(?:stamp)?|ts|datetime|creationtimestamp)$)/
/**
 * The object in which exports hold an event: Elasticsearch's `_source`, Splunk's `result`, GeoJSON's `properties`, the `object` of
 * kubectl, the `values` of a flight recording, and others.
 */
const EXPORT = /^(?:source|result|content|attributes|record|properties|object|values)\.(?=[^.]+$)/
/** Names that mean the time of the event in an object of any name. */
const DEEP = /(?<=^|\.)(?:timecreated(?:\.#attributes)?\.systemtime|utctime|eventtimestamp)$/
/** The object around a date of MongoDB, and around its number. */
const EXTENDED_JSON = /\.\$date(?:\.\$numberlong)?$/

/** Returns the rank of a field by its name; undefined for an unknown one. */
export function timeNameRank(field: string): number | undefined {
  const name = field
    .toLowerCase()
    .replace(/[ _/&-]/g, '')
    .replace(EXTENDED_JSON, '')
  const [deep = name] = DEEP.exec(name) ?? []
  const inner = name.replace(ENVELOPE, '').replace(UNIT, '')
  const rank = RANKS.get(deep) ?? RANKS.get(inner)
  if (rank !== undefined) return rank
  // A field of the export itself is preferred.
  const exported = RANKS.get(name.replace(EXPORT, '').replace(UNIT, ''))
  return exported === undefined ? undefined : NAMES.length + exported
}

/** True for the names of fields that hold the time of an event in many logs. */
export function isTimeName(field: string): boolean {
  return timeNameRank(field) !== undefined
}
