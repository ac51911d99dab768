import { formatsByName } from './line-format.js'

const TORNADO =
  '\\[(?<level>[DIWEC]) %{TIME:_time}(?: (?<logger>[^\\s:\\]]{1,100})(?::%{INT:line:long})?)?\\]'

const SANIC =
  '(?<process>Main|Srv \\d{1,3}|[A-Z][\\w-]{0,20}) {0,4}[ |]%{TIME:_time} %{PYTHON_LEVEL:level}: '

const PREFECT =
  '\\| %{PYTHON_LEVEL:level} {0,8}\\| (?<logger>[A-Za-z_][\\w.]{0,100}|(?:Flow|Task|Subflow) run [^|\\n]{1,100}?) - ?%{MESSAGE:message}'

/** A level in brackets, padded to nine characters. */
const STRUCTLOG =
  '%{TIME:_time} \\[(?=[a-z ]{9}\\])(?<level>debug|info|warning|error|critical) {0,5}\\] '

/** A source file, or a logger whose name is no file's, with a line. */
const PLACE =
  '(?:(?!%{MODULE}:)%{SOURCE:file}|(?=[^\\s:]{1,200}\\.(?:%{EXTENSION}):)%{SOURCE:file}|%{MODULE:logger}):%{INT:line:long}'

/** A level of Rich, in a column, with the source line at the right end; without the source, the time must precede it. */
const RICH_LEVEL = '(?:DEBUG    |INFO     |WARNING  |ERROR    |CRITICAL )'
const RICH = `(?=${RICH_LEVEL}\\S)%{PYTHON_LEVEL:level} +%{TEXT:message} {1,120}%{SOURCE:file}:%{INT:line:long} *(?=\\n|$)%{MESSAGE:message}`

export const PYTHON_FORMATS = formatsByName({
  gunicorn: {
    title: 'Gunicorn, Radicale',
    example: '[2026-11-20 10:00:00 +0000] [123] [INFO] Starting gunicorn 21.2.0',
    patterns: [
      // Hypercorn
      '\\[%{TIME:_time}\\] \\[%{INT:pid:long}\\] \\[%{LEVEL:level}\\] %{CLIENT:remote_addr}:%{INT:remote_port:long} - - \\[[^\\]\\n]{1,40}\\] "(?<method>[A-Za-z]{3,20}) (?<path>\\S+) (?<protocol>[\\d.]{1,3})" (?:-|%{INT:status:long}) (?:-|%{INT:bytes:long}) "(?:-|%{QUOTED:referer})" "(?:-|%{QUOTED:user_agent})"(?=\\n|$)%{MESSAGE:message}',
      '\\[%{TIME:_time}\\] \\[%{INT:pid:long}(?:/(?<thread>[^\\]\\n]{1,100}))?\\] \\[%{LEVEL:level}\\] %{MESSAGE:message}',
    ],
  },
  locust: {
    title: 'Locust',
    example: '[2026-11-20 10:00:00,123] worker-1/INFO/locust.main: Starting Locust 2.20.0',
    patterns:
      '\\[%{TIME:_time}\\] (?<host>[\\w.-]{1,100})/%{PYTHON_LEVEL:level}/%{LOGGER:logger}: %{MESSAGE:message}',
  },
  twisted: {
    title: 'Twisted',
    example: '2026-11-20T10:00:00+0000 [twisted.web.server.Site#info] Starting factory',
    patterns: [
      '%{TIME:_time} \\[(?<logger>[^\\s#\\]]{1,200})#(?<level>debug|info|warn|error|critical)\\] %{MESSAGE:message}',
      '%{TIME:_time} \\[(?:-|(?<logger>[A-Za-z_][\\w.$() -]{0,100},(?:\\d{1,9}|client)(?:,[^\\]\\n]{0,100})?|(?![\\w.]{1,100}\\.%{CAPITAL_LEVEL}\\])%{MODULE}(?!\\] \\[?%{LEVEL}\\b)|\\w{1,60} \\(UDP\\)))\\] ?%{MESSAGE:message}',
    ],
  },
  celery: {
    title: 'Celery',
    example: '[2026-11-20 10:00:00,123: INFO/MainProcess] Connected to redis://localhost:6379/0',
    patterns: '\\[%{TIME:_time}: %{LEVEL:level}/%{NAME:process}\\] ?%{MESSAGE:message}',
  },
  airflow: {
    title: 'Airflow',
    example: '[2026-11-20T10:00:00.123+0000] {taskinstance.py:1234} INFO - Starting attempt 1 of 2',
    patterns: [
      '\\[%{TIME:_time}\\] \\{%{SOURCE:file}:%{INT:line:long}\\} %{LEVEL:level} - ?%{MESSAGE:message}',
      '\\[%{CLOCK:time}\\] \\{%{SOURCE:file}:%{INT:line:long}\\} %{LEVEL:level} - ?%{MESSAGE:message}',
    ],
  },
  flask: {
    title: 'Flask',
    example: '[2026-11-20 10:00:00,123] ERROR in app: Exception on / [GET]',
    patterns: '\\[%{TIME:_time}\\] %{LEVEL:level} in %{LOGGER:logger}: ?%{MESSAGE:message}',
  },
  werkzeug: {
    title: 'Django and Flask development servers, Daphne, Granian',
    example: '[20/Nov/2026 10:00:00] "GET /admin/ HTTP/1.1" 302 0',
    patterns: [
      '(?<remote_addr>[\\d.]+|[\\da-fA-F:]+):%{INT:remote_port:long} - - \\[%{TIME:_time}\\] "%{REQUEST}" (?:-|%{INT:status:long}) (?:-|%{INT:bytes:long})(?=\\n|$)%{MESSAGE:message}',
      '(?:(?:%{PYTHON_LEVEL:level}:(?<logger>[A-Za-z_][\\w.]{0,100}):)?%{NOTSPACE:remote_addr} - - )?\\[%{TIME:_time}\\] "%{REQUEST}" %{INT:status:long} (?:-|%{INT:bytes:long})(?: "%{QUOTED:referer}" "(?:-|%{QUOTED:user_agent})")?(?=\\n|$)%{MESSAGE:message}',
      '\\[%{TIME:_time}\\] %{CLIENT:remote_addr} - "%{REQUEST}" %{INT:status:long} %{NUMBER:duration_ms:real}(?=\\n|$)%{MESSAGE:message}',
      '(?:%{NOTSPACE:remote_addr} - - )?\\[%{TIME:_time}\\] (?=code \\d{3}, message )%{MESSAGE:message}',
    ],
  },
  django: {
    title: "Django's verbose format: level, time, module, process, thread",
    example: 'INFO 2026-11-20 10:00:00,123 views 4242 140735113216064 Order 7 created',
    patterns:
      '%{LEVEL:level} %{TIME:_time} %{LOGGER:logger} %{INT:pid:long} %{INT:tid:long} %{MESSAGE:message}',
  },
  structlog: {
    title: 'structlog on a console',
    example:
      "2026-11-20 10:00:00 [warning  ] slow query                     [app.orders] seconds=1.2 sql='select 1'",
    patterns: [
      `${STRUCTLOG}%{TEXT:message} {1,60}\\[(?<logger>[A-Za-z_][\\w.]{0,100})\\](?= [A-Za-z_]\\w{0,60}=|\\n|$)%{MESSAGE:message}`,
      `${STRUCTLOG}%{MESSAGE:message}`,
    ],
  },
  rich: {
    title: 'Rich',
    isMonthFirst: true,
    example: '[01/20/26 10:00:00] INFO     listening on port 8080               app.py:5',
    patterns: [`\\[%{TIME:_time}\\] ${RICH}`, `\\[%{CLOCK:time}\\] ${RICH}`, ` {9,30}${RICH}`],
    start: `(?:\\[%{TIME:_time}\\] |\\[%{CLOCK:time}\\] | {9,30})(?=${RICH_LEVEL}\\S)`,
  },
  loguru: {
    title: 'Loguru',
    example: '2026-11-20 10:00:00.123 | INFO     | app.jobs:run:42 - Done in 3 s',
    patterns:
      '%{TIME:_time} \\| %{LEVEL:level} +\\| (?<logger>[^\\s:|]+):(?<function>[^\\s:|]+):%{INT:line:long} - ?%{MESSAGE:message}',
  },
  fail2ban: {
    title: 'Fail2ban',
    example: '2026-11-20 10:00:00,123 fail2ban.actions        [812]: NOTICE  [sshd] Ban 192.0.2.99',
    patterns:
      '%{TIME:_time} %{LOGGER:logger} +\\[%{INT:pid:long}\\]: %{LEVEL:level} +%{MESSAGE:message}',
  },
  ansible: {
    title: 'Ansible',
    example: '2026-11-20 10:00:00,123 p=4242 u=alice n=ansible | ok: [web1]',
    patterns:
      '%{TIME:_time} p=%{INT:pid:long} u=%{NOTSPACE:user} (?:n=%{NOTSPACE:logger} )?(?:%{PYTHON_LEVEL:level})?\\| ?%{MESSAGE:message}',
  },
  easybuild: {
    title: 'EasyBuild',
    example: '== 2026-11-20 10:00:00,123 build_log.py:171 ERROR EasyBuild crashed',
    patterns:
      '== %{TIME:_time} %{SOURCE:file}:%{INT:line:long} %{PYTHON_LEVEL:level} ?%{MESSAGE:message}',
  },
  scrapy: {
    title: 'Scrapy',
    example: '2026-11-20 10:00:00 [scrapy.core.engine] INFO: Spider opened',
    patterns:
      '%{TIME:_time} \\[(?!\\d+\\])%{LOGGER:logger}\\] %{PYTHON_LEVEL:level}: ?%{MESSAGE:message}',
  },
  odoo: {
    title: 'Odoo',
    example: '2026-11-20 10:00:00,123 12 INFO prod odoo.modules.loading: loading 1 modules...',
    patterns:
      '%{TIME:_time} %{INT:pid:long} %{PYTHON_LEVEL:level} (?<database>\\S+) (?<logger>(?:odoo|openerp|werkzeug|py)[\\w.]*): ?%{MESSAGE:message}',
  },
  'cloud-init': {
    title: 'cloud-init',
    example: '2026-11-20 10:00:00,123 - util.py[DEBUG]: Running command',
    patterns: '%{TIME:_time} - %{SOURCE:file}\\[%{PYTHON_LEVEL:level}\\]: ?%{MESSAGE:message}',
  },
  nemo: {
    title: 'NVIDIA NeMo',
    example: '[NeMo W 2026-11-20 10:00:00 modelPT:161] No configuration of the train data',
    patterns:
      '\\[(?<app>[A-Z]\\w{1,20}) (?<level>[DIWEC]) %{TIME:_time} (?<logger>[^\\s:\\]]{1,100})(?::%{INT:line:long})?\\] ?%{MESSAGE:message}',
  },
  jupyter: {
    title: 'Jupyter, Tornado and pyftpdlib',
    example: '[I 2026-11-20 10:00:00.123 ServerApp] Serving notebooks from local directory',
    patterns: [
      `${TORNADO} %{INT:status:long} (?<method>[A-Z]{3,10}) (?<path>/[^\\s]*) \\((?:(?<user>[^@\\s)]{1,100})@)?%{CLIENT:remote_addr}\\) (?<duration>\\d+\\.\\d\\dms)(?: referer=(?:None|(?<referer>\\S+)))?(?=\\n|$)%{MESSAGE:message}`,
      `${TORNADO} ?%{MESSAGE:message}`,
      '\\[(?<level>[DIWEC]) %{CLOCK:time} %{NOTSPACE:logger}\\] ?%{MESSAGE:message}',
    ],
  },
  openstack: {
    title: 'OpenStack (oslo.log)',
    example:
      '2026-11-20 10:00:00.123 25746 INFO nova.compute.manager [req-3ea4052c-895d-4b64-9e2d-04d64c4d94ab - - - - -] VM Started',
    patterns: [
      '(?:%{NOTSPACE:log_file} )?%{TIME:_time} %{INT:pid:long} %{LEVEL:level} %{QUALIFIED:logger} \\[(?:-|(?:(?:None|%{OPENSTACK_REQUEST:global_request_id}) )?%{OPENSTACK_REQUEST:request_id}(?: (?:-|%{ID:user_id}) (?:-|%{ID:project_id})(?: [- ]{1,20}(?=\\])| (?<context>[^\\]\\n]+))?)?)\\] ?%{MESSAGE:message}',
      // The lines of a trace have no context.
      '(?:%{NOTSPACE:log_file} )?%{TIME:_time} %{INT:pid:long} (?<level>ERROR) %{MODULE:logger} %{MESSAGE:message}',
    ],
  },
  salt: {
    title: 'Salt, Redash',
    example:
      '2026-11-20 10:00:00,123 [salt.minion      :1234][INFO    ][4567] Minion is ready to receive requests!',
    patterns: [
      '%{TIME:_time} \\[%{LOGGER:logger} *:%{INT:line:long} *\\]\\[%{LEVEL:level} *\\](?:\\[%{INT:pid:long}\\])? ?%{MESSAGE:message}',
      // Redash.
      '\\[%{TIME:_time}\\]\\[PID:%{INT:pid:long}\\]\\[%{PYTHON_LEVEL:level}\\]\\[(?<logger>[A-Za-z_][\\w.]{0,100})\\] ?%{MESSAGE:message}',
    ],
  },
  python: {
    title: 'Python logging',
    example: '2026-11-20 10:00:00,123 - app.db - WARNING - Slow query (1.2 s)',
    patterns: [
      '%{TIME:_time} - %{LOGGER:logger} - %{PYTHON_LEVEL:level} - (?:\\[?%{SOURCE:file}:%{INT:line:long}\\]? - )?%{MESSAGE:message}',
      '%{TIME:_time} - %{LOGGER:logger} - %{INT:line:long} - %{PYTHON_LEVEL:level} - (?:%{ID:request} - )?%{MESSAGE:message}',
      // Hydra. A name with a hyphen, or `main`, is rather a thread of Java.
      '\\[%{TIME:_time}\\]\\[(?!main\\])(?<logger>[A-Za-z_][\\w.]{0,100})\\]\\[%{PYTHON_LEVEL:level}\\] - %{MESSAGE:message}',
      // Both may be padded.
      '%{TIME:_time} - {1,20}%{PYTHON_LEVEL:level} {1,12}- {1,60}%{LOGGER:logger} {1,60}- %{MESSAGE:message}',
      // Cura.
      '%{TIME:_time} - %{PYTHON_LEVEL:level} - \\[(?<thread>[^\\[\\]\\n]{1,60}(?:\\[\\d{1,4}\\])?)\\] %{QUALIFIED:logger} \\[%{INT:line:long}\\]: ?%{MESSAGE:message}',
      '%{TIME:_time}:(?:%{INT:tid:long}:)?%{PYTHON_LEVEL:level}:(?:%{LOGGER:logger}:)?%{MESSAGE:message}',
      '\\[?%{TIME:_time}\\]? %{PYTHON_LEVEL:level}:%{LOGGER:logger}:(?:%{PYTHON_THREAD:thread}:)? ?%{MESSAGE:message}',
      '%{TIME:_time} - %{SOURCE:file}:%{INT:line:long} - %{PYTHON_LEVEL:level}(?: - |: )%{MESSAGE:message}',
      // Levanter and Marin: the index of the process is in front of the logger.
      '%{TIME:_time} - %{INT:rank:long} - %{LOGGER:logger} - %{SOURCE:file}:%{INT:line:long} - %{PYTHON_LEVEL:level} :: ?%{MESSAGE:message}',
      // Chia and its forks, with a service in front of the padded logger.
      '%{TIME:_time} (?<app>[a-z]\\w{0,40}) %{MODULE:logger} {0,60}: (?=DEBUG    |INFO     |WARNING  |ERROR    |CRITICAL )%{PYTHON_LEVEL:level} +%{MESSAGE:message}',
      // Bazarr.
      '%{TIME:_time} - %{LOGGER:logger} {1,60}\\((?<thread>[\\da-f]{1,16})\\) : {1,8}%{PYTHON_LEVEL:level} \\((?<module>\\w{1,60}):%{INT:line:long}\\) - %{MESSAGE:message}',
      // VDSM of oVirt.
      '(?<thread>[\\w.-]{1,60})::%{PYTHON_LEVEL:level}::%{TIME:_time}::(?<file>[\\w.-]{1,60})::%{INT:line:long}::(?<logger>[\\w.-]{1,100})::(?:\\((?<function>\\w{1,60})\\) )?%{MESSAGE:message}',
      // wandb.
      '%{TIME:_time} %{PYTHON_LEVEL:level} +(?<thread>[\\w-]{1,60}) {0,20}:%{INT:pid:long} \\[%{SOURCE:file}:(?<function>\\w{1,100})\\(\\):%{INT:line:long}\\] ?%{MESSAGE:message}',
      // proxy.py.
      '%{TIME:_time} - pid:%{INT:pid:long} \\[(?<level>[DIWEC])\\] (?<logger>[\\w.]{1,100})\\.(?<function>\\w{1,60}):%{INT:line:long} - ?%{MESSAGE:message}',
      // daiquiri.
      '%{TIME:_time} \\[%{INT:pid:long}\\] %{PYTHON_LEVEL:level} {1,8}(?<logger>[A-Za-z_][\\w.]{0,100})(?=(?: \\[\\w{1,60}: [^\\]\\n]{0,200}\\]){0,8}: ):? %{MESSAGE:message}',
      '\\[%{TIME:_time}\\] \\[PID %{INT:pid:long}\\] \\[(?<thread>[^\\]\\n]{1,100})\\] \\[(?<logger>[^\\]\\n]{1,100})\\] \\[%{PYTHON_LEVEL:level}\\] ?%{MESSAGE:message}',
      '%{TIME:_time} %{HOST_NAME:host} (?<logger>[^\\s\\[\\]]{1,100})\\[%{INT:pid:long}\\] (?<level>%{PYTHON_LEVEL}|NOTICE|VERBOSE|SPAM) %{MESSAGE:message}',
      '\\[?%{TIME:_time}\\]?:? (?:\\[%{PYTHON_LEVEL:level} *\\]|%{PYTHON_LEVEL:level}) +\\[?(?<logger>(?:[A-Za-z_]\\w{0,60}(?:\\.|::)){0,9}(?!%{EXTENSION}:)[A-Za-z_]\\w{0,60}):%{INT:line:long}\\]?:?(?: (?<function>[A-Za-z_]\\w{0,60})\\(\\))?(?: -)? %{MESSAGE:message}',
      `\\[?%{TIME:_time}\\]?:? (?:\\[%{PYTHON_LEVEL:level} *\\]|%{PYTHON_LEVEL:level}) +\\[?(?!\\S{1,200}\\.(?:go|rs):)${PLACE}\\]?:?(?: -)? %{MESSAGE:message}`,
      '%{TIME:_time} \\[%{PYTHON_LEVEL:level} *\\] (?:\\[%{QUALIFIED:logger} {0,40}\\]|%{QUALIFIED:logger}):?(?: -)? %{MESSAGE:message}',
      '\\[?%{TIME:_time}\\]?:? +(?<logger>[A-Za-z_][\\w.]{0,100}) +%{PYTHON_LEVEL:level} {1,8}: ?%{MESSAGE:message}',
      // Moonraker and KlipperScreen.
      '%{TIME:_time} \\[%{SOURCE:file}:(?<function>\\w{1,100})\\(\\)\\] - ?%{MESSAGE:message}',
      // Calibre-Web.
      '\\[?%{TIME:_time}\\]? +%{PYTHON_LEVEL:level} \\{(?<logger>[A-Za-z_][\\w.]{0,100}):%{INT:line:long}\\} ?%{MESSAGE:message}',
      // Hue: the logger and the level are padded.
      '\\[%{TIME:_time}\\] (?=\\S{1,12} (?: {0,11}(?:DEBUG   |INFO    |WARNING |ERROR   |CRITICAL) ))(?<logger>[A-Za-z_][\\w.]{0,100}) +%{PYTHON_LEVEL:level} +%{MESSAGE:message}',
      // Galaxy, whose context is the process and the thread.
      '%{LOGGER:logger} %{PYTHON_LEVEL:level} %{TIME:_time} \\[(?<context>\\w{1,20}:[^\\]\\n]{1,200})\\] ?%{MESSAGE:message}',
      // Tautulli and other programs that descend from Headphones.
      '%{TIME:_time} - %{PYTHON_LEVEL:level} +:: (?<thread>[^:\\n]{1,60}?) : %{MESSAGE:message}',
      '%{TIME:_time} +(?:\\[%{INT:pid:long}\\] +)?%{QUALIFIED:logger} +%{PYTHON_LEVEL:level}: ?%{MESSAGE:message}',
      '\\[%{PYTHON_LEVEL:level}\\|%{SOURCE:file}:%{INT:line:long}\\] %{TIME:_time} >> ?%{MESSAGE:message}',
      '%{TIME:_time} \\[%{PYTHON_LEVEL:level} *\\] (?<logger>[A-Za-z_][\\w.]*): %{MESSAGE:message}',
      '%{TIME:_time} - \\[%{PYTHON_LEVEL:level} *\\] - (?<logger>[A-Za-z_][\\w.]*)(?: - |: )%{MESSAGE:message}',
      '%{TIME:_time} +%{PYTHON_LEVEL:level} +\\(%{NAME:thread}\\) \\[%{LOGGER:logger}\\] ?%{MESSAGE:message}',
      '%{TIME:_time} - %{NAME:thread} - %{LOGGER:logger} - %{PYTHON_LEVEL:level} - %{MESSAGE:message}',
      '%{TIME:_time} +(?:(?<process>\\w{0,40}Process(?:-[\\d:]+)?) +)?(?:%{PYTHON_THREAD:thread} +)?%{QUALIFIED:logger} +%{PYTHON_LEVEL:level} +(?:- )?%{MESSAGE:message}',
      '%{TIME:_time} +(?:%{INT:pid:long} +)?%{PYTHON_LEVEL:level} +(?:\\[%{MODULE:logger}\\]:?|%{MODULE:logger}) {1,8}(?![ (-]|\\[[^\\]\\n]{0,40}\\] - )%{MESSAGE:message}',
      '\\[%{TIME:_time}\\] \\[%{PYTHON_LEVEL:level} *\\] \\[(?:%{INT:pid:long}|%{LOGGER:logger})\\] ?%{MESSAGE:message}',
      `%{PYTHON_LEVEL:level} +%{TIME:_time} \\[?${PLACE}\\]?:?(?: -)? %{MESSAGE:message}`,
      '%{PYTHON_LEVEL:level}:%{LOGGER:logger}:%{MESSAGE:message}',
      // Dask.
      '%{LOGGER:logger} - %{PYTHON_LEVEL:level} - %{MESSAGE:message}',
      // conda -vv.
      '%{PYTHON_LEVEL:level} %{MODULE:logger}:(?<function>[\\w<>]{1,100})\\(%{INT:line:long}\\): ?%{MESSAGE:message}',
      // Milliseconds since the start, as in the Logging Cookbook.
      ' {0,9}%{INT:elapsed:long} (?<logger>[A-Za-z_][\\w.-]{0,60}) +%{PYTHON_LEVEL:level} +%{MESSAGE:message}',
      '%{PYTHON_LEVEL:level} +%{LOGGER:logger}:%{SOURCE:file}:%{INT:line:long} ?%{MESSAGE:message}',
      // tox -v, with milliseconds since the start.
      '(?<env>[\\w.-]{1,60}): %{INT:elapsed:long} (?<level>[DIWEC]) (?=[^\\n]{0,2000}? \\[%{SOURCE:file}:%{INT:line:long}\\](?:\\n|$))%{MESSAGE:message}',
      '(?=\\d\\d:\\d\\d:\\d\\d,\\d{3} )%{CLOCK:time} +(?<logger>[A-Za-z_][\\w.]{0,100}) +%{PYTHON_LEVEL:level} +%{MESSAGE:message}',
      '\\[%{PYTHON_LEVEL:level}/(?<process>[A-Z]\\w{0,40}(?:-[\\d:]+)?)\\] ?%{MESSAGE:message}',
      '\\[%{PYTHON_LEVEL:level} *\\] \\(%{PYTHON_THREAD:thread} {0,20}\\) ?%{MESSAGE:message}',
      '(?<logger>[A-Za-z_][\\w.]{0,100}) *: (?=DEBUG    |INFO     |WARNING  |ERROR    |CRITICAL )%{PYTHON_LEVEL:level} +%{MESSAGE:message}',
      '(?:(?<level>INFO) |(?<level>DEBUG|WARNI|ERROR|CRITI)) \\[%{MODULE:logger}\\] ?%{MESSAGE:message}',
      // A logger that Stack Overflow recommends, which cuts threads to 12 characters and levels to 5.
      '%{TIME:_time} \\[(?=[^\\]\\n]{12}\\])%{THREAD:thread}\\] \\[(?:(?<level>INFO) |(?<level>DEBUG|WARNI|ERROR|CRITI))\\] {1,2}%{MESSAGE:message}',
      '(?:%{SOURCE:file}(?: ?\\[LINE:%{INT:line:long}\\]|:%{INT:line:long}) ?)?# ?%{PYTHON_LEVEL:level} +\\[%{TIME:_time}\\] +(?:- (?:%{SOURCE:file}:%{INT:line:long} - )?%{LOGGER:logger} - )?%{MESSAGE:message}',
    ],
    levels: { SPAM: 'trace', VERBOSE: 'debug' },
  },
  checkmk: {
    title: "Checkmk, with the numbers of Python's levels",
    example: '2026-11-20 10:00:00,123 [40] [cmk.web 1234] Internal error',
    patterns:
      '%{TIME:_time} \\[(?<level>10|15|[2-5]0)\\] \\[(?<logger>[A-Za-z_][\\w.]{0,100})(?: %{INT:pid:long})?\\] ?%{MESSAGE:message}',
    levels: { 10: 'debug', 15: 'debug', 20: 'info', 30: 'warn', 40: 'error', 50: 'critical' },
  },
  deluge: {
    title: 'Deluge',
    example: '10:00:00.123 [INFO    ][deluge.core.daemon_entry          :78  ] Deluge daemon 2.1.1',
    patterns:
      '%{CLOCK:time} \\[%{PYTHON_LEVEL:level} {0,8}\\]\\[%{LOGGER:logger} {0,60}:%{INT:line:long} {0,8}\\] ?%{MESSAGE:message}',
  },
  dbt: {
    title: 'dbt: dbt.log',
    example: '10:00:00.356566 [info ] [MainThread]: Running with dbt=1.6.0',
    patterns:
      '(?=\\d\\d:\\d\\d:\\d\\d\\.\\d{6} \\[[a-z ]{5}\\])%{CLOCK:time} \\[%{LEVEL:level} {0,4}\\] \\[(?<thread>[^\\]\\n]{1,60})\\]: ?%{MESSAGE:message}',
  },
  prefect: {
    title: 'Prefect',
    example: "10:00:00.179 | INFO    | Flow run 'swift-otter' - Beginning flow run",
    patterns: [`%{CLOCK:time} ${PREFECT}`, `%{TIME:_time} ${PREFECT}`],
  },
  sanic: {
    title: 'Sanic',
    example: 'Main  2026-11-20 10:00:00 +0000 INFO: Starting worker [42]',
    patterns: [
      `${SANIC}%{CLIENT:remote_addr}:%{INT:remote_port:long} (?<method>[A-Z]{3,10}) (?<url>\\S+) %{INT:status:long} %{INT:bytes:long} +(?<duration>[\\d.]{1,12}[mµ]?s)?(?=\\n|$)%{MESSAGE:message}`,
      `${SANIC}%{MESSAGE:message}`,
    ],
  },
  paramiko: {
    title: 'Paramiko: the file of `paramiko.util.log_to_file`',
    example: 'DEB [20261120-10:00:00.123] thr=1   paramiko.transport: starting thread',
    patterns:
      '(?<level>DEB|INF|WAR|ERR|CRI) \\[%{TIME:_time}\\] thr=%{INT:tid:long} +%{LOGGER:logger}: %{MESSAGE:message}',
    levels: { CRI: 'critical' },
  },
  uvicorn: {
    title: 'Uvicorn and FastAPI',
    example: 'INFO:     Started server process [28637]',
    patterns: [
      '(?=INFO: {1,5})%{LEVEL:level}: +(?=(?<remote_addr>[\\da-fA-F.:]+):%{INT:remote_port:long} - "%{REQUEST}" %{INT:status:long}(?: |\\n|$))%{MESSAGE:message}',
      '(?=INFO:     |DEBUG:    |TRACE:    |WARNING:  |ERROR:    |CRITICAL: )%{LEVEL:level}: +%{MESSAGE:message}',
      '%{TIME:_time} (?=INFO:     |DEBUG:    |TRACE:    |WARNING:  |ERROR:    |CRITICAL: )%{LEVEL:level}: +%{MESSAGE:message}',
      // Without a level, when Gunicorn runs it.
      '(?<remote_addr>[\\da-fA-F.:]{2,45}):%{INT:remote_port:long} - "%{REQUEST}" %{INT:status:long}(?=\\n|$)%{MESSAGE:message}',
    ],
  },
})
