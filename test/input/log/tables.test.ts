import { expect, it } from 'vitest'
import { eventsOf } from './sample-events.js'
import { read } from './support.js'

const TABLES: Readonly<Record<string, readonly [lines: string, ...expected: object[]]>> = {
  'Zeek, with a header that comes again': [
    [
      '#separator \\x09',
      '#set_separator\t,',
      '#unset_field\t-',
      '#fields\tts\tuid\tid.orig_p\tlocal_orig\tservice',
      '#types\ttime\tstring\tport\tbool\tstring',
      '1795168800.500000\tCabc\t5353\tT\tdns',
      '#close\t2026-11-20-11-00-00',
      '#separator \\x09',
      '#fields\tts\tuid\tid.orig_p\tlocal_orig\tservice',
      '1795168801.500000\tCabd\t5354\tF\t-',
    ].join('\n'),
    {
      _time: '2026-11-20T10:00:00.5Z',
      uid: 'Cabc',
      'id.orig_p': 5353,
      local_orig: true,
      service: 'dns',
    },
    { _time: '2026-11-20T10:00:01.5Z', uid: 'Cabd', local_orig: false, service: undefined },
  ],
  'vmstat with times': [
    [
      'procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----',
      ' r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC',
      '13  0      0 13186084 156024 9963784    0    0  1548  8160  893 3768 37 12 50  0  0 2026-11-20 10:00:00',
      '12  1      0 13186084 156024 9963784    0    0    52   552 1142 2772 86 14  0  0  0 2026-11-20 10:00:01',
    ].join('\n'),
    { message: expect.stringMatching(/^procs /) },
    { _time: '2026-11-20T10:00:00Z', r: 13, free: 13186084, us: 37 },
    { _time: '2026-11-20T10:00:01Z', r: 12, b: 1, st: 0 },
  ],
  'Get-WinEvent of PowerShell, whose levels are words': [
    [
      '   ProviderName: Service Control Manager',
      '',
      'TimeCreated                     Id LevelDisplayName Message',
      '-----------                     -- ---------------- -------',
      '11/20/2026 10:00:00 AM        7036 Information      The Backup service entered the stopped s...',
      '11/20/2026 10:00:05 AM        7031 Error            The Print service terminated.',
    ].join('\n'),
    { message: expect.stringMatching(/ProviderName/), level: undefined },
    {
      _time: '2026-11-20T10:00:00Z',
      level: 'info',
      LevelDisplayName: 'Information',
      Id: 7036,
      Message: 'The Backup service entered the stopped s...',
    },
    { _time: '2026-11-20T10:00:05Z', level: 'error', LevelDisplayName: 'Error' },
  ],
  'psql, with a column `level`': [
    [
      '       at            |  level  | msg',
      '---------------------+---------+------',
      ' 2026-11-20 10:00:00 | WARNING | late',
      ' 2026-11-20 10:00:01 | error   | lost',
    ].join('\n'),
    { level: 'warn', severity_text: 'WARNING', msg: 'late' },
    { level: 'error', severity_text: undefined, msg: 'lost' },
  ],
  'DuckDB, with types': [
    [
      '┌───────┬─────────────────────┬─────────┐',
      '│  id   │     created_at      │ message │',
      '│ int32 │      timestamp      │ varchar │',
      '├───────┼─────────────────────┼─────────┤',
      '│     1 │ 2026-11-20 10:00:00 │ é | x   │',
      '│     2 │ 2026-11-20 10:00:01 │ NULL    │',
      '└───────┴─────────────────────┴─────────┘',
    ].join('\n'),
    {
      _time: '2026-11-20T10:00:00Z',
      id: 1,
      created_at: '2026-11-20 10:00:00',
      message: 'é | x',
    },
    { _time: '2026-11-20T10:00:01Z', id: 2, message: undefined },
  ],
  'Rich, whose header has heavy bars': [
    [
      '             errors              ',
      '┏━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━┓',
      '┃ time                ┃ message ┃',
      '┡━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━┩',
      '│ 2026-11-20 10:00:00 │ failed  │',
      '└─────────────────────┴─────────┘',
    ].join('\n'),
    { message: expect.stringMatching(/^ +errors +$/) },
    { _time: '2026-11-20T10:00:00Z', message: 'failed' },
  ],
  'psql with lines in UTF-8 and without a border': [
    [' id │ message', '────┼─────────', '  1 │ failed', '  2 │ ok', '(2 rows)'].join('\n'),
    { id: 1, message: 'failed' },
    { id: 2, message: 'ok' },
  ],
  Markdown: [
    [
      '## Errors',
      '| time | n | message |',
      '|------|--:|:-------:|',
      '| 2026-11-20 10:00:00 | 1 | a \\| b |',
      '| 2026-11-20 10:00:01 | 2 | |',
    ].join('\n'),
    { message: '## Errors' },
    { _time: '2026-11-20T10:00:00Z', n: 1, message: 'a | b' },
    { _time: '2026-11-20T10:00:01Z', n: 2, message: undefined },
  ],
  'df, with a name of two words': [
    [
      'Filesystem     1K-blocks     Used Available Use% Mounted on',
      'devtmpfs        12334460        0  12334460   0% /dev',
      '/dev/vda       264212084 17283436  78217828  19% /',
      'tmpfs           24684084        0  24684084   0% /run/my files',
    ].join('\n'),
    { Filesystem: 'devtmpfs', '1K-blocks': 12334460, 'Use%': '0%', 'Mounted on': '/dev' },
    { Used: 17283436, Available: 78217828, 'Mounted on': '/' },
    { Filesystem: 'tmpfs', 'Mounted on': '/run/my files' },
  ],
  'ss, with names that touch': [
    [
      'Netid State  Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                          ',
      'udp   UNCONN 0      0          127.0.0.1:4711       0.0.0.0:*    users:(("my node",pid=9595,fd=78))',
      'tcp   LISTEN 0      128          0.0.0.0:2024       0.0.0.0:*                                    ',
    ].join('\n'),
    {
      Netid: 'udp',
      State: 'UNCONN',
      'Recv-Q': 0,
      'Local Address:Port': '127.0.0.1:4711',
      'Peer Address:Port': '0.0.0.0:*',
      Process: 'users:(("my node",pid=9595,fd=78))',
    },
    { Netid: 'tcp', 'Send-Q': 128, 'Local Address:Port': '0.0.0.0:2024', Process: undefined },
  ],
  'ss, with ports of five digits': [
    [
      'State     Recv-Q Send-Q Local Address:Port  Peer Address:Port Process',
      'LISTEN    0      4096       127.0.0.1:4871       0.0.0.0:*           ',
      'TIME-WAIT 0      0          127.0.0.1:4871     127.0.0.1:58900       ',
    ].join('\n'),
    { State: 'LISTEN', 'Peer Address:Port': '0.0.0.0:*', Process: undefined },
    { State: 'TIME-WAIT', 'Recv-Q': 0, 'Peer Address:Port': '127.0.0.1:58900' },
  ],
  'netstat, with a banner and empty values': [
    [
      'Active Internet connections (only servers)',
      'Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name    ',
      'tcp        0      0 127.0.0.1:4871          0.0.0.0:*               LISTEN      10076/node          ',
      'udp        0      0 127.0.0.1:4711          0.0.0.0:*                           9595/node           ',
    ].join('\n'),
    { message: 'Active Internet connections (only servers)' },
    { Proto: 'tcp', 'Local Address': '127.0.0.1:4871', State: 'LISTEN' },
    { Proto: 'udp', State: undefined, 'PID/Program name': '9595/node' },
  ],
  'top -b, with a summary': [
    [
      'top - 10:00:00 up 18 min,  0 user,  load average: 4.20, 5.41, 3.01',
      'Tasks:  96 total,   1 running,  95 sleeping,   0 stopped,   0 zombie',
      'MiB Swap:      0.0 total,      0.0 free,      0.0 used.  22928.3 avail Mem ',
      '',
      '  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND',
      ' 9595 root      20   0   23.8g 367488 158848 S   6.7   1.5   0:26.34 node',
      '   21 root      rt   0       0      0      0 S   0.0   0.0   0:00.27 migration/1',
    ].join('\n'),
    { message: expect.stringMatching(/^top - [\s\S]*avail Mem/) },
    { PID: 9595, USER: 'root', VIRT: '23.8g', '%CPU': 6.7, 'TIME+': '0:26.34', COMMAND: 'node' },
    { PID: 21, PR: 'rt', COMMAND: 'migration/1' },
  ],
  'systemctl list-units, with a legend': [
    [
      '  UNIT           LOAD   ACTIVE SUB     DESCRIPTION',
      '  ssh.service    loaded active running OpenBSD Secure Shell server',
      '● nginx.service  loaded failed failed  A high performance web server',
      '',
      'LOAD   = Reflects whether the unit definition was properly loaded.',
      '2 loaded units listed.',
    ].join('\n'),
    { UNIT: 'ssh.service', ACTIVE: 'active', DESCRIPTION: 'OpenBSD Secure Shell server' },
    { UNIT: '● nginx.service', SUB: 'failed', DESCRIPTION: 'A high performance web server' },
    { message: expect.stringMatching(/^LOAD {3}= [\s\S]*listed\.$/) },
  ],
  'ps, with names that contain spaces': [
    [
      '  PID TTY          TIME CMD',
      '    1 ?        00:00:05 init',
      '25362 ?        00:00:00 tmux: server',
    ].join('\n'),
    { PID: 1, CMD: 'init' },
    { PID: 25362, TIME: '00:00:00', CMD: 'tmux: server' },
  ],
  'event log show of ONTAP': [
    [
      'Time                Node             Severity      Event',
      '------------------- ---------------- ------------- ---------------------------',
      '11/20/2026 10:00:00 node1            ALERT         callhome.spares.low: Call home for SPARES_LOW',
      '11/20/2026 10:00:01 node1            NOTICE        raid.rg.scrub.done: scrub completed',
      '2 entries were displayed.',
    ].join('\n'),
    { _time: '2026-11-20T10:00:00Z', Node: 'node1', Severity: 'ALERT' },
    { _time: '2026-11-20T10:00:01Z', Event: 'raid.rg.scrub.done: scrub completed' },
  ],
  'SharePoint, whose values between tabs are padded': [
    [
      'Timestamp              \tProcess            \tTID   \tEventID\tLevel     \tMessage \tCorrelation',
      '11/20/2026 10:00:00.12 \tw3wp.exe (0x1234)  \t0x0ABC\t8nca\tMedium    \tLeaving, after 5 ms\tabc',
      '11/20/2026 10:00:01.34 \tOWSTIMER.EXE (0x56)\t0x0DEF\txxpm\tCritical  \tIt failed\tdef',
    ].join('\n'),
    {
      _time: '2026-11-20T10:00:00.12Z',
      Process: 'w3wp.exe (0x1234)',
      Level: 'Medium',
      Message: 'Leaving, after 5 ms',
    },
    { _time: '2026-11-20T10:00:01.34Z', Level: 'Critical', Correlation: 'def' },
  ],
  'two tables with different headers are text': [
    [
      'Filesystem     1K-blocks     Used Available Use% Mounted on',
      'devtmpfs        12334460        0  12334460   0% /dev',
      '',
      'NAME  MAJ:MIN RM  SIZE RO TYPE MOUNTPOINTS',
      'vda   254:0    0  256G  0 disk /',
    ].join('\n'),
    { message: 'Filesystem     1K-blocks     Used Available Use% Mounted on' },
    { message: 'devtmpfs        12334460        0  12334460   0% /dev' },
    { message: 'NAME  MAJ:MIN RM  SIZE RO TYPE MOUNTPOINTS' },
    { message: 'vda   254:0    0  256G  0 disk /' },
  ],
  'flow logs with a header of columns': [
    [
      'version account-id srcaddr dstport packets start action',
      '2 123456789010 172.31.16.139 22 20 1795168800 ACCEPT',
      '2 123456789010 172.31.9.69 3389 20 1795168801 REJECT',
    ].join('\n'),
    { _time: '2026-11-20T10:00:00Z', srcaddr: '172.31.16.139', dstport: 22, action: 'ACCEPT' },
    { _time: '2026-11-20T10:00:01Z', action: 'REJECT' },
  ],
  'changes of snap, whose names begin with a capital, and whose values have spaces': [
    [
      'ID   Status  Spawn                     Ready                     Summary',
      '102  Error   today at 06:00 UTC        today at 06:01 UTC        Auto-refresh snap "firefox"',
      '104  Doing   today at 08:00 UTC        -                         Refresh snaps "core20", "lxd"',
    ].join('\n'),
    {
      ID: 102,
      Status: 'Error',
      Spawn: 'today at 06:00 UTC',
      Ready: 'today at 06:01 UTC',
      Summary: 'Auto-refresh snap "firefox"',
    },
    { ID: 104, Status: 'Doing', Ready: undefined, Summary: 'Refresh snaps "core20", "lxd"' },
  ],
  'instances of multipass': [
    [
      'Name                    State             IPv4             Image',
      'primary                 Running           10.251.6.19      Ubuntu 22.04 LTS',
      'docker                  Stopped           --               Ubuntu 22.04 LTS',
    ].join('\n'),
    { Name: 'primary', State: 'Running', IPv4: '10.251.6.19', Image: 'Ubuntu 22.04 LTS' },
    { Name: 'docker', State: 'Stopped', Image: 'Ubuntu 22.04 LTS' },
  ],
  'lines below words with wide gaps, which are no table': [
    [
      'Started  First  Second  Third',
      'the first line of the text below these words',
      'and the next line of the text below these words',
    ].join('\n'),
    { message: 'Started  First  Second  Third' },
    { message: 'the first line of the text below these words' },
    { message: 'and the next line of the text below these words' },
  ],
  'log show of macOS, whose messages have no name': [
    [
      'Timestamp                       Thread     Type        Activity             PID    TTL  ',
      '2026-11-20 10:00:00.123456+0000 0x1234     Default     0x0                  58     0    backboardd: (BackBoardServices) Display on',
      '2026-11-20 10:00:01.123456+0000 0x1235     Error       0x8f2                99     0    wifid: [com.apple.WiFiManager:] boom',
    ].join('\n'),
    { message: expect.stringMatching(/^Timestamp /) },
    { _time: '2026-11-20T10:00:00.123456Z', level: 'notice', app: 'backboardd', pid: 58 },
    { _time: '2026-11-20T10:00:01.123456Z', level: 'error', app: 'wifid', pid: 99 },
  ],
  'events of kubectl, with names of two words and missing values': [
    [
      'NAMESPACE   LAST SEEN   TYPE      REASON      OBJECT           MESSAGE',
      'default     2m11s       Normal    Scheduled   pod/web-1        Successfully assigned default/web-1 to node-a',
      'default     45s         Warning   BackOff     <none>           Back-off  restarting "é" in pod',
    ].join('\n'),
    {
      NAMESPACE: 'default',
      'LAST SEEN': '2m11s',
      TYPE: 'Normal',
      REASON: 'Scheduled',
      OBJECT: 'pod/web-1',
      MESSAGE: 'Successfully assigned default/web-1 to node-a',
    },
    { 'LAST SEEN': '45s', OBJECT: undefined, MESSAGE: 'Back-off  restarting "é" in pod' },
  ],
  'containers of docker, with an empty column': [
    [
      'CONTAINER ID   IMAGE          COMMAND                  CREATED       STATUS                  PORTS     NAMES',
      '4c01db0b339c   ubuntu:22.04   "nginx -g \'daemon of…"   2 hours ago   Up 2 hours              80/tcp    web',
      'd7886598dbe2   crosbymichael  /redis-server --dir      3 hours ago   Exited (0) 3 days ago             redis,webapp',
    ].join('\n'),
    { 'CONTAINER ID': '4c01db0b339c', COMMAND: '"nginx -g \'daemon of…"', PORTS: '80/tcp' },
    { IMAGE: 'crosbymichael', STATUS: 'Exited (0) 3 days ago', PORTS: undefined },
  ],
  'processes of ps, with values aligned on the right': [
    [
      'USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND',
      'root           1  0.0  0.1 167300 11396 ?        Ss   Nov01   0:05 /sbin/init splash',
      'www      1234567 99.5 12.1  22300  1139 pts/0    R+   10:00   1:05 node a b',
    ].join('\n'),
    { USER: 'root', PID: 1, '%CPU': 0, VSZ: 167300, COMMAND: '/sbin/init splash' },
    { USER: 'www', PID: 1234567, '%CPU': 99.5, '%MEM': 12.1, TTY: 'pts/0', TIME: '1:05' },
  ],
  'rows of psql': [
    [
      ' id |        time         | service |  msg  ',
      '----+---------------------+---------+-------',
      '  1 | 2026-11-20 10:00:00 | api     | a | b',
      ' 22 | 2026-11-20 10:00:01 |         | c',
      '(2 rows)',
    ].join('\n'),
    { _time: '2026-11-20T10:00:00Z', id: 1, service: 'api', msg: 'a | b' },
    { _time: '2026-11-20T10:00:01Z', id: 22, service: undefined, msg: 'c' },
  ],
  'rows of mysql': [
    [
      '+----+-------+------+',
      '| id | name  | n    |',
      '+----+-------+------+',
      '|  1 | a b   | 2.5  |',
      '|  2 | c     | NULL |',
      '+----+-------+------+',
      '2 rows in set (0.00 sec)',
    ].join('\n'),
    { id: 1, name: 'a b', n: 2.5 },
    { id: 2, name: 'c', n: undefined },
  ],
  'rows of PowerShell and sqlite3, with a line below the header': [
    [
      'TimeGenerated        EntryType   Id Message',
      '-------------        ---------   -- -------',
      '2026-11-20 10:00:00  Error     7034 The service ended.',
      '2026-11-20 10:00:01  Warning      1 Disk full',
    ].join('\n'),
    { _time: '2026-11-20T10:00:00Z', EntryType: 'Error', Id: 7034, Message: 'The service ended.' },
    { _time: '2026-11-20T10:00:01Z', EntryType: 'Warning', Id: 1, Message: 'Disk full' },
  ],
  'tasklist of Windows, with equals signs below the header': [
    [
      'Image Name                     PID Session Name        Session#    Mem Usage',
      '========================= ======== ================ =========== ============',
      'System Idle Process              0 Services                   0          8 K',
      'explorer.exe                  5120 Console                    1    145,768 K',
    ].join('\n'),
    { 'Image Name': 'System Idle Process', PID: 0, 'Session Name': 'Services' },
    { 'Image Name': 'explorer.exe', PID: 5120, 'Session#': 1, 'Mem Usage': '145,768 K' },
  ],
  'nvidia-smi dmon, whose header has units below it and comes again': [
    [
      '#Date       Time        gpu   pwr    sm   mem',
      '#YYYYMMDD   HH:MM:SS    Idx     W     %     %',
      ' 20261120   10:00:00      0    62     0     0',
      ' 20261120   10:00:01      0   301    98    45',
      '#Date       Time        gpu   pwr    sm   mem',
      '#YYYYMMDD   HH:MM:SS    Idx     W     %     %',
      ' 20261120   10:00:02      0   298    97    44',
    ].join('\n'),
    { _time: '2026-11-20T10:00:00Z', gpu: 0, pwr: 62, sm: 0 },
    { _time: '2026-11-20T10:00:01Z', gpu: 0, pwr: 301, sm: 98 },
    { _time: '2026-11-20T10:00:02Z', gpu: 0, pwr: 298, sm: 97 },
  ],
  'CSV with a space after each comma, as nvidia-smi writes it': [
    [
      'timestamp, name, temperature.gpu, utilization.gpu [%]',
      '2026/11/20 10:00:00.123, NVIDIA A100-SXM4-80GB, 45, 87 %',
      '2026/11/20 10:00:01.124, NVIDIA A100-SXM4-80GB, 46, 0 %',
    ].join('\n'),
    {
      _time: '2026-11-20T10:00:00.123Z',
      name: 'NVIDIA A100-SXM4-80GB',
      'temperature.gpu': 45,
      'utilization.gpu [%]': '87 %',
    },
    { _time: '2026-11-20T10:00:01.124Z', 'temperature.gpu': 46 },
  ],
  'CSV after a banner': [
    'Report of sensors\nmade by a tool\n\ntime,sensor,value,unit\n2026-11-20T10:00:00Z,a,1.5,C\n2026-11-20T10:00:01Z,"b,c",2.5,C\n',
    { message: 'Report of sensors\nmade by a tool' },
    { _time: '2026-11-20T10:00:00Z', sensor: 'a', value: 1.5 },
    { _time: '2026-11-20T10:00:01Z', sensor: 'b,c' },
  ],
  'csvlog of PostgreSQL, which has no header': [
    [
      '2026-11-20 10:00:00.123 UTC,"app","orders",105,"10.0.0.5:5000",6092a3b0.69,1,"SELECT",2026-11-20 09:59:00 UTC,3/7,0,ERROR,42P01,"relation ""x"" does not exist',
      'second line",,,,,,"SELECT 1",15,,"psql","client backend",,0',
      '2026-11-20 10:00:01.123 UTC,,,106,,6092a3b1.6a,1,,2026-11-20 09:59:00 UTC,,0,LOG,00000,"ready",,,,,,,,,""',
    ].join('\n'),
    {
      _time: '2026-11-20T10:00:00.123Z',
      user: 'app',
      pid: 105,
      level: 'error',
      sql_state: '42P01',
      message: 'relation "x" does not exist\nsecond line',
      query: 'SELECT 1',
    },
    { _time: '2026-11-20T10:00:01.123Z', level: 'info', message: 'ready', user: undefined },
  ],
  'the slow log of MySQL, with more header lines and an event without its time': [
    [
      '# Time: 2026-11-20T10:00:00.123456Z',
      '# User@Host: app[app] @ web1 [10.0.0.5]  Id:    12',
      '# Schema: orders  Last_errno: 0  Killed: 0',
      '# Query_time: 2.5  Lock_time: 0.1 Rows_sent: 1  Rows_examined: 7',
      'SET timestamp=1795168798;',
      'SELECT *',
      'FROM orders;',
      '# User@Host: app[app] @ web1 [10.0.0.5]  Id:    13',
      '# Query_time: 3.1  Lock_time: 0.2 Rows_sent: 0  Rows_examined: 5',
      'use orders;',
      'SET timestamp=1795168801;',
      'UPDATE orders SET a = 1;',
    ].join('\n'),
    {
      _time: '2026-11-20T10:00:00.123456Z',
      schema: 'orders',
      query_time: 2.5,
      rows_examined: 7,
      message: 'SET timestamp=1795168798;\nSELECT *\nFROM orders;',
    },
    { _time: '2026-11-20T10:00:01Z', connection: 13, query_time: 3.1 },
  ],
  'Laravel, with traces of thirty lines': [
    [1, 2, 3]
      .map((n) =>
        [
          `[2026-11-20 10:00:0${n}] local.ERROR: Undefined variable {"exception":"[object] (X(code: 0) at /x.php:1)`,
          '[stacktrace]',
          ...Array.from({ length: 30 }, (_, at) => `#${at} /app/vendor/X.php(${at}): X->handle()`),
          '"} ',
        ].join('\n'),
      )
      .join('\n'),
    ...[1, 2, 3].map((n) => ({
      _time: `2026-11-20T10:00:0${n}Z`,
      logger: 'local',
      level: 'error',
    })),
  ],
  'text in front of pairs': [
    '2026-11-20T10:00:00Z INF listening addr=:8080 name="a b"\n2026-11-20T10:00:01Z ERR failed n=7',
    { level: 'info', message: 'listening addr=:8080 name="a b"', addr: ':8080', name: 'a b' },
    { level: 'error', message: 'failed n=7', n: 7 },
  ],
  'the Common Event Format in syslog': [
    'Nov 20 10:00:00 fw1 CEF:0|Vendor|Product|1.0|100|worm stopped|8|src=10.0.0.1 msg=a long text act=blocked',
    {
      host: 'fw1',
      vendor: 'Vendor',
      event_id: '100',
      message: 'worm stopped',
      level: 'error',
      severity_text: '8',
      src: '10.0.0.1',
      msg: 'a long text',
      act: 'blocked',
    },
  ],
}

it.each([
  ['a banner', 'Report of sensors\nmade by a tool\n\n', 'Report of sensors\nmade by a tool'],
  ['a comment', '# exported 2026-11-20\n', '# exported 2026-11-20'],
])('a file of CSV may begin with %s', async (_, banner, message) => {
  const rows = 'time,sensor\n2026-11-20T10:00:00Z,a\n2026-11-20T10:00:01Z,"b, c"\n'
  const { events } = await read(`${banner}${rows}`, { name: 'sensors.csv', findsTimeField: true })
  expect(events.map((event) => JSON.parse(event))).toEqual([
    { message },
    { _time: '2026-11-20T10:00:00Z', time: '2026-11-20T10:00:00Z', sensor: 'a' },
    { _time: '2026-11-20T10:00:01Z', time: '2026-11-20T10:00:01Z', sensor: 'b, c' },
  ])
})

it('a file of CSV with a space after each comma has names and values without it', async () => {
  const text = 'id, note\n1, "a, b"\n2, \n'
  const { events } = await read(text, { name: 'notes.csv', findsTimeField: true })
  expect(events.map((event) => JSON.parse(event))).toEqual([{ id: 1, note: 'a, b' }, { id: 2 }])
})

it('sentences with a comma are no table', async () => {
  const { events } = await read('Hello, old world\nBye, new moon\n', { findsTimeField: true })
  expect(events.map((event) => JSON.parse(event))).toEqual([
    { message: 'Hello, old world' },
    { message: 'Bye, new moon' },
  ])
})

it('a file of CSV with a space after some commas keeps them', async () => {
  const text = 'id, note\n1, a\n2,b\n'
  const { events } = await read(text, { name: 'notes.csv', findsTimeField: true })
  expect(events).toEqual(['id, note', '1, a', '2,b'])
})

it.each(Object.entries(TABLES))('%s: the columns and header lines are fields', async (_, log) => {
  const [lines, ...expected] = log
  const events = await eventsOf(Buffer.from(`${lines}\n`))
  const actual = events.map(({ fields }, index) =>
    Object.fromEntries(Object.keys(expected[index] ?? fields).map((key) => [key, fields[key]])),
  )
  expect(actual).toEqual(expected)
})
