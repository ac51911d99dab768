import { expect, it } from 'vitest'
import { eventsOf } from './sample-events.js'

// Lines of programs, and what these mean by them according to their documentation. Times are those of 2026-11-20.

const LOGS: Readonly<Record<string, readonly [lines: string, ...expected: object[]]>> = {
  strongswan: [
    'Nov 20 10:00:00 00[DMN] Starting IKE charon daemon (strongSwan 5.9.5, Linux 5.15.0, x86_64)\nNov 20 10:00:01 05[IKE] <home|1> 192.0.2.1 is initiating an IKE_SA\nNov 20 10:00:02 05[CFG] <home|1> no matching peer config found',
    {
      _time: '10:00:00',
      logger: 'DMN',
      message: 'Starting IKE charon daemon (strongSwan 5.9.5, Linux 5.15.0, x86_64)',
    },
    { _time: '10:00:01', host: undefined, logger: 'IKE' },
    { _time: '10:00:02' },
  ],
  krb5kdc: [
    'Nov 20 10:00:00 kdc1 krb5kdc[1234](info): AS_REQ (8 etypes {18 17 16}) 10.0.0.5: ISSUE: authtime 1795168800, etypes {rep=18 tkt=18 ses=18}, alice@EXAMPLE.COM for krbtgt/EXAMPLE.COM@EXAMPLE.COM\nNov 20 10:00:01 kdc1 krb5kdc[1234](Error): preauth (encrypted_timestamp) verify failure: Preauthentication failed',
    { _time: '10:00:00', host: 'kdc1', app: 'krb5kdc', pid: 1234, level: 'info' },
    { _time: '10:00:01', app: 'krb5kdc', level: 'error' },
  ],
  'es-slow': [
    '[2026-11-20T10:00:00,123][WARN ][i.s.s.query              ] [node-1] [orders][0] took[1.2s], took_millis[1234], total_hits[10 hits], types[], stats[], search_type[QUERY_THEN_FETCH], total_shards[5], source[{"query":{"match_all":{}}}], id[],\n[2026-11-20T10:00:01,456][INFO ][i.s.s.fetch              ] [node-1] [orders][1] took[5ms], took_millis[5], total_hits[1 hits], types[], stats[], search_type[QUERY_THEN_FETCH], total_shards[5], source[{}], id[],',
    { _time: '10:00:00.123', level: 'warn', logger: 'i.s.s.query', node: 'node-1' },
    { _time: '10:00:01.456', level: 'info' },
  ],
  weblogic: [
    '####<Nov 20, 2026 10:00:00,123 AM UTC> <Notice> <WebLogicServer> <host1> <AdminServer> <main> <<WLS Kernel>> <> <> <1795168800123> <[severity-value: 32] > <BEA-000365> <Server state changed to STARTING.> \n####<Nov 20, 2026 10:00:01,456 AM UTC> <Error> <Deployer> <host1> <AdminServer> <[ACTIVE] ExecuteThread: 1> <weblogic> <> <abc> <1795168801456> <[severity-value: 8] > <BEA-149205> <Failed to initialize the application "x".> ',
    { _time: '10:00:00.123', level: 'notice' },
    { _time: '10:00:01.456', level: 'error' },
  ],
  websphere: [
    '[11/20/26 10:00:00:123 UTC] 00000001 WsServerImpl  A   WSVR0001I: Server server1 open for e-business\n[11/20/26 10:00:01:456 UTC] 0000002a SystemErr     R   java.lang.NullPointerException\n[11/20/26 10:00:02:000 UTC] 0000002a webapp        E   SRVE0293E: [Servlet Error]-[x]',
    { _time: '10:00:00.123', logger: 'WsServerImpl' },
    { _time: '10:00:01.456' },
    { _time: '10:00:02', level: 'error' },
  ],
  nextcloud: [
    '{"reqId":"Y1","level":3,"time":"2026-11-20T10:00:00+00:00","remoteAddr":"192.0.2.1","user":"alice","app":"PHP","method":"GET","url":"/index.php","message":"Undefined index: x","userAgent":"curl","version":"28.0.0.11","data":{"app":"PHP"}}\n{"reqId":"Y2","level":1,"time":"2026-11-20T10:00:01+00:00","remoteAddr":"192.0.2.1","user":"alice","app":"core","method":"GET","url":"/","message":"Login","userAgent":"curl","version":"28.0.0.11","data":[]}',
    { level: 'error', message: 'Undefined index: x' },
    { level: 'info' },
  ],
  rclone: [
    '2026/11/20 10:00:00 INFO  : photos/a.jpg: Copied (new)\n2026/11/20 10:00:01 ERROR : photos/b.jpg: Failed to copy: permission denied\n2026/11/20 10:00:02 NOTICE: Config file not found - using defaults',
    { _time: '10:00:00', level: 'info', message: 'photos/a.jpg: Copied (new)' },
    {
      _time: '10:00:01',
      level: 'error',
      message: 'photos/b.jpg: Failed to copy: permission denied',
    },
    { _time: '10:00:02', level: 'notice', message: 'Config file not found - using defaults' },
  ],
  terraform: [
    '2026-11-20T10:00:00.123Z [INFO]  Terraform version: 1.6.0\n2026-11-20T10:00:00.200Z [DEBUG] using github.com/hashicorp/go-tfe v1.32.1\n2026-11-20T10:00:00.300Z [TRACE] provider.stdio: waiting for stdio data\n2026-11-20T10:00:01.000Z [ERROR] vertex "aws_instance.x" error: timeout',
    { _time: '10:00:00.123', level: 'info', message: 'Terraform version: 1.6.0' },
    { _time: '10:00:00.2', level: 'debug' },
    {
      _time: '10:00:00.3',
      level: 'trace',
      logger: 'provider.stdio',
      message: 'waiting for stdio data',
    },
    { _time: '10:00:01', level: 'error' },
  ],
  yum: [
    'Nov 20 10:00:00 Installed: bash-4.2.46-34.el7.x86_64\nNov 20 10:00:01 Updated: openssl-1.0.2k-21.el7_9.x86_64\nNov 20 10:00:02 Erased: nano-2.3.1-10.el7.x86_64',
    {
      _time: '10:00:00',
      host: undefined,
      app: undefined,
      message: 'Installed: bash-4.2.46-34.el7.x86_64',
    },
    { _time: '10:00:01' },
    { _time: '10:00:02', message: 'Erased: nano-2.3.1-10.el7.x86_64' },
  ],
  unreal: [
    "[2026.11.20-10.00.00:123][  0]LogInit: Display: Running engine for game: Demo\n[2026.11.20-10.00.01:456][ 12]LogNet: Warning: Network Failure: demo\n[2026.11.20-10.00.02:000][ 13]LogStreaming: Error: Couldn't find file",
    { _time: '10:00:00.123' },
    { _time: '10:00:01.456', level: 'warn' },
    { _time: '10:00:02', level: 'error' },
  ],
  'logcat-long': [
    '[ 11-20 10:00:00.123  1702: 2395 D/WindowManager ]\nprintFreezingDisplayLogs\nsecond line\n\n[ 11-20 10:00:01.456  1702: 2400 E/AndroidRuntime ]\nFATAL EXCEPTION: main\n',
    {
      _time: '10:00:00.123',
      pid: 1702,
      tid: 2395,
      level: 'debug',
      logger: 'WindowManager',
      message: 'printFreezingDisplayLogs\nsecond line',
    },
    { _time: '10:00:01.456', level: 'error', message: 'FATAL EXCEPTION: main' },
  ],
  'logcat-tag': [
    'D/WindowManager: printFreezingDisplayLogs\nE/AndroidRuntime: FATAL EXCEPTION: main\nI/ActivityManager: Start proc',
    { level: 'debug', logger: 'WindowManager', message: 'printFreezingDisplayLogs' },
    { level: 'error' },
    { level: 'info' },
  ],
  'ios-syslog': [
    'Nov 20 10:00:00 iPhone SpringBoard(FrontBoard)[58] <Notice>: Workspace is ready\nNov 20 10:00:01 iPhone kernel[0] <Error>: AppleKeyStore: operation failed',
    {
      _time: '10:00:00',
      host: 'iPhone',
      app: 'SpringBoard(FrontBoard)',
      pid: 58,
      level: 'notice',
      message: 'Workspace is ready',
    },
    { _time: '10:00:01', app: 'kernel', level: 'error' },
  ],
  chrome: [
    '[1234:5678:1120/100000.123456:ERROR:gpu_init.cc(440)] Passthrough is not supported, GL is disabled\n[1234:1:1120/100001.456789:WARNING:sandbox_linux.cc(376)] InitializeSandbox() called with multiple threads',
    {
      _time: '10:00:00.123456',
      level: 'error',
      file: 'gpu_init.cc',
      line: 440,
      message: 'Passthrough is not supported, GL is disabled',
    },
    { _time: '10:00:01.456789', level: 'warn' },
  ],
  grafana: [
    'logger=settings t=2026-11-20T10:00:00.123456789Z level=info msg="Starting Grafana" version=10.2.0 commit=abc branch=HEAD\nlogger=context userId=0 orgId=0 uname= t=2026-11-20T10:00:01.5Z level=error msg="Request Completed" method=GET path=/api status=500 remote_addr=10.0.0.1 time_ms=3 duration=3.1ms',
    { level: 'info', msg: 'Starting Grafana' },
    { level: 'error', status: 500 },
  ],
  vector: [
    '2026-11-20T10:00:00.123456Z  INFO vector::app: Log level is enabled. level="info"\n2026-11-20T10:00:01.456789Z ERROR sink{component_id=out component_kind="sink"}: vector::topology: Failed. error=timeout',
    { _time: '10:00:00.123456', level: 'info', logger: 'vector::app' },
    { _time: '10:00:01.456789', level: 'error' },
  ],
  fluentd: [
    '2026-11-20 10:00:00 +0000 [info]: #0 starting fluentd worker pid=12 ppid=7 worker=0\n2026-11-20 10:00:01 +0000 [warn]: #0 [out_es] failed to flush the buffer. retry_times=1 next_retry_time=2026-11-20 10:00:02 +0000 chunk="5f" error_class=Errno::ECONNREFUSED error="Connection refused"\n  2026-11-20 10:00:01 +0000 [warn]: #0 /usr/lib/x.rb:10:in `connect\'',
    { _time: '10:00:00', level: 'info' },
    { _time: '10:00:01', level: 'warn' },
  ],
  'fluent-bit': [
    '[2026/11/20 10:00:00] [ info] [engine] started (pid=1)\n[2026/11/20 10:00:01] [error] [output:es:es.0] HTTP status=429\n[2026/11/20 10:00:02] [ warn] [input] paused',
    { _time: '10:00:00', level: 'info', message: '[engine] started (pid=1)' },
    { _time: '10:00:01', level: 'error' },
    { _time: '10:00:02', level: 'warn' },
  ],
  containerd: [
    'time="2026-11-20T10:00:00.123456789Z" level=info msg="starting containerd" revision=abc version=1.7.0\ntime="2026-11-20T10:00:01Z" level=warning msg="skip loading plugin" error="path /x must be btrfs" type=io.containerd.snapshotter.v1',
    { _time: '10:00:00.123456789', level: 'info' },
    { _time: '10:00:01', level: 'warn' },
  ],
  'asterisk-queue': [
    '1795168800|1795168790.12|support|NONE|ENTERQUEUE||5551234|1\n1795168805|1795168790.12|support|SIP/100|CONNECT|15|1795168800.13|3\n1795168900|1795168790.12|support|SIP/100|COMPLETECALLER|15|95|1',
    { _time: '10:00:00' },
    { _time: '10:00:05' },
    { _time: '10:01:40' },
  ],
  spamd: [
    'Fri Nov 20 10:00:00 2026 [1234] info: spamd: server started on IO::Socket::IP [127.0.0.1]:783\nFri Nov 20 10:00:01 2026 [1235] warn: spamd: timeout exceeded',
    { _time: '10:00:00', level: 'info' },
    { _time: '10:00:01', level: 'warn' },
  ],
  clamav: [
    "Fri Nov 20 10:00:00 2026 -> SelfCheck: Database status OK.\nFri Nov 20 10:00:01 2026 -> ERROR: Can't save PID\nFri Nov 20 10:00:02 2026 -> /tmp/eicar.com: Eicar-Test-Signature FOUND",
    { _time: '10:00:00' },
    { _time: '10:00:01', level: 'error' },
    { _time: '10:00:02' },
  ],
  zabbix: [
    '  1234:20261120:100000.123 Starting Zabbix Server. Zabbix 6.0.0 (revision abc).\n  1235:20261120:100001.456 server #1 started [configuration syncer #1]\n  1236:20261120:100002.789 cannot send list of active checks to "10.0.0.1": host [x] not found',
    {
      _time: '10:00:00.123',
      pid: 1234,
      message: 'Starting Zabbix Server. Zabbix 6.0.0 (revision abc).',
    },
    { _time: '10:00:01.456', pid: 1235 },
    { _time: '10:00:02.789' },
  ],
  puppet: [
    '2026-11-20 10:00:00 +0000 Puppet (notice): Applied catalog in 1.23 seconds\n2026-11-20 10:00:01 +0000 /Stage[main]/Main/File[x] (err): Could not evaluate',
    { _time: '10:00:00', level: 'notice' },
    { _time: '10:00:01', level: 'error' },
  ],
  chef: [
    '[2026-11-20T10:00:00+00:00] INFO: *** Chef Infra Client 17.0 ***\n[2026-11-20T10:00:01+00:00] FATAL: Stacktrace dumped to /x',
    { _time: '10:00:00', level: 'info', message: '*** Chef Infra Client 17.0 ***' },
    { _time: '10:00:01', level: 'fatal' },
  ],
  salt: [
    '2026-11-20 10:00:00,123 [salt.minion      :1234][INFO    ][4567] Minion is ready to receive requests!\n2026-11-20 10:00:01,456 [salt.loaded.int.module.cmdmod:722 ][ERROR   ][4568] Command failed',
    {
      _time: '10:00:00.123',
      level: 'info',
      logger: 'salt.minion',
      line: 1234,
      pid: 4567,
      message: 'Minion is ready to receive requests!',
    },
    { _time: '10:00:01.456', level: 'error' },
  ],
  'squid-cache': [
    '2026/11/20 10:00:00 kid1| Starting Squid Cache version 4.10 for x86_64-pc-linux-gnu...\n2026/11/20 10:00:01 kid1| WARNING: disk-cache maximum object size is too large\n2026/11/20 10:00:02| Squid Cache (Version 4.10): Exiting normally.',
    { _time: '10:00:00' },
    { _time: '10:00:01', level: 'warn' },
    { _time: '10:00:02' },
  ],
  pgbouncer: [
    '2026-11-20 10:00:00.123 UTC [1234] LOG C-0x55d: orders/app@10.0.0.5:50000 login attempt: db=orders user=app tls=no\n2026-11-20 10:00:01.456 UTC [1234] WARNING C-0x55d: orders/app@10.0.0.5:50000 pooler error: no such database: x',
    { _time: '10:00:00.123', level: 'info', pid: 1234 },
    { _time: '10:00:01.456', level: 'warn', pid: 1234 },
  ],
  pgbackrest: [
    '2026-11-20 10:00:00.123 P00   INFO: backup command begin 2.40: --exec-id=1-2 --stanza=main\n2026-11-20 10:00:01.456 P01  ERROR: [056]: unable to find primary cluster',
    { _time: '10:00:00.123', level: 'info' },
    { _time: '10:00:01.456', level: 'error' },
  ],
  slurm: [
    '[2026-11-20T10:00:00.123] sched: Allocate JobId=12 NodeList=n1 #CPUs=4 Partition=main\n[2026-11-20T10:00:01.456] error: Nodes n2 not responding\n[2026-11-20T10:00:02.000] debug:  sched: Running job scheduler',
    { _time: '10:00:00.123' },
    { _time: '10:00:01.456', level: 'error', message: 'Nodes n2 not responding' },
    { _time: '10:00:02', level: 'debug' },
  ],
  condor: [
    '11/20/26 10:00:00 (pid:1234) ** condor_master (CONDOR_MASTER) STARTING UP\n11/20/26 10:00:01 (pid:1234) ERROR: SECMAN:2007:Failed to end classad message.',
    { _time: '10:00:00' },
    { _time: '10:00:01', level: 'error' },
  ],
  'electron-log': [
    '[2026-11-20 10:00:00.123] [info]  App starting...\n[2026-11-20 10:00:01.456] [error] Unhandled: x',
    { _time: '10:00:00.123', level: 'info', message: 'App starting...' },
    { _time: '10:00:01.456', level: 'error', message: 'Unhandled: x' },
  ],
  'windows-update': [
    '2026/11/20 10:00:00.1234567 1234  5678  Agent           Initializing Windows Update Agent\n2026/11/20 10:00:01.7654321 1234  5680  ComApi          * START *   Search ClientId = UpdateOrchestrator',
    { _time: '10:00:00.1234567' },
    { _time: '10:00:01.7654321' },
  ],
  jira: [
    '2026-11-20 10:00:00,123+0000 http-nio-8080-exec-1 INFO admin 600x12x1 1abcdef 10.0.0.5 /rest/api/2/issue [c.a.j.issue.IssueManager] Issue created\n2026-11-20 10:00:01,456+0000 Caesium-1-2 ERROR ServiceRunner     [c.a.j.service.ServiceRunner] Failed to run',
    { _time: '10:00:00.123', level: 'info' },
    { _time: '10:00:01.456', level: 'error' },
  ],
  zimbra: [
    '2026-11-20 10:00:00,123 INFO  [qtp-1:https://mail/service/soap] [name=a@example.com;ip=10.0.0.5;] soap - AuthRequest elapsed=5\n2026-11-20 10:00:01,456 WARN  [ImapServer-2] [ip=10.0.0.6;] imap - Authentication failed',
    { _time: '10:00:00.123', level: 'info' },
    { _time: '10:00:01.456', level: 'warn' },
  ],
  ambari: [
    'INFO 2026-11-20 10:00:00,123 Controller.py:304 - Heartbeat (response id = 7) with server is running...\nERROR 2026-11-20 10:00:01,456 main.py:139 - Failed to connect',
    {
      _time: '10:00:00.123',
      level: 'info',
      file: 'Controller.py',
      line: 304,
      message: 'Heartbeat (response id = 7) with server is running...',
    },
    { _time: '10:00:01.456', level: 'error' },
  ],
  trino: [
    '2026-11-20T10:00:00.123Z\tINFO\tmain\tio.trino.server.Server\t======== SERVER STARTED ========\n2026-11-20T10:00:01.456Z\tERROR\tremote-task-callback-1\tio.trino.execution.StageStateMachine\tStage 1 failed\njava.lang.RuntimeException: x\n\tat io.trino.Y.z(Y.java:1)',
    {
      _time: '10:00:00.123',
      level: 'info',
      logger: 'io.trino.server.Server',
      thread: 'main',
      message: '======== SERVER STARTED ========',
    },
    { _time: '10:00:01.456', level: 'error', thread: 'remote-task-callback-1' },
  ],
  exchange: [
    '#Software: Microsoft Exchange Server\n#Version: 15.02.0986.005\n#Log-type: Message Tracking Log\n#Date: 2026-11-20T10:00:00.123Z\n#Fields: date-time,client-ip,client-hostname,server-ip,event-id,recipient-address,total-bytes\n2026-11-20T10:00:00.123Z,10.0.0.5,mail1,10.0.0.1,RECEIVE,a@example.com,1234\n2026-11-20T10:00:01.456Z,10.0.0.5,mail1,10.0.0.1,DELIVER,"b,c@example.com",99',
    { _time: '10:00:00.123', 'event-id': 'RECEIVE', 'total-bytes': 1234 },
    { _time: '10:00:01.456', 'recipient-address': 'b,c@example.com' },
  ],
  'windows-dhcp': [
    '\t\tMicrosoft DHCP Service Activity Log\n\nEvent ID  Meaning\n00\tThe log was started.\n10\tA new IP address was leased to a client.\n\nID,Date,Time,Description,IP Address,Host Name,MAC Address\n24,11/20/26,10:00:00,Database Cleanup Begin,,,\n10,11/20/26,10:00:01,Assign,10.0.0.7,pc1,001122334455\n11,11/20/26,10:00:02,Renew,10.0.0.8,pc2,001122334466',
    { Date: undefined },
    { _time: '10:00:00', Description: 'Database Cleanup Begin', 'Host Name': undefined },
    { _time: '10:00:01', ID: 10, 'IP Address': '10.0.0.7' },
    { _time: '10:00:02', Description: 'Renew' },
  ],
  carbon: [
    '20/11/2026 10:00:00 :: [console] Starting factory CarbonReceiverFactory\n20/11/2026 10:00:01 :: [listener] connection with 10.0.0.5 established',
    { _time: '10:00:00' },
    { _time: '10:00:01' },
  ],
  pbs: [
    '11/20/2026 10:00:00;0002;PBS_Server.1234;Svr;Log;Log opened\n11/20/2026 10:00:01;0100;PBS_Server.1234;Job;12.head;enqueuing into batch, state 1 hop 1',
    { _time: '10:00:00' },
    { _time: '10:00:01' },
  ],
  proftpd: [
    '2026-11-20 10:00:00,123 ftp1 proftpd[1234] ftp1 (10.0.0.5[10.0.0.5]): FTP session opened.\n2026-11-20 10:00:01,456 ftp1 proftpd[1234] ftp1 (10.0.0.5[10.0.0.5]): USER alice (Login failed): Incorrect password',
    { _time: '10:00:00.123', app: 'proftpd', host: 'ftp1', pid: 1234 },
    { _time: '10:00:01.456' },
  ],
  emqx: [
    '2026-11-20T10:00:00.123456+00:00 [info] msg: started, mfa: emqx:start/0, line: 12\n2026-11-20T10:00:01.456789+00:00 [warning] clientid: c1, msg: dropped, peername: 10.0.0.5:5000',
    { _time: '10:00:00.123456', level: 'info' },
    { _time: '10:00:01.456789', level: 'warn' },
  ],
  pfirewall: [
    '#Version: 1.5\n#Software: Microsoft Windows Firewall\n#Time Format: Local\n#Fields: date time action protocol src-ip dst-ip src-port dst-port size\n\n2026-11-20 10:00:00 ALLOW UDP 10.0.0.5 10.0.0.1 53123 53 0\n2026-11-20 10:00:01 DROP TCP 192.0.2.9 10.0.0.5 4444 3389 60',
    { _time: '10:00:00', action: 'ALLOW' },
    { _time: '10:00:01', action: 'DROP' },
  ],
  'journal-verbose': [
    'Fri 2026-11-20 10:00:00.123456 UTC [s=abc;i=1;b=def;m=1;t=2;x=3]\n    PRIORITY=6\n    _HOSTNAME=web1\n    SYSLOG_IDENTIFIER=app\n    MESSAGE=Started\nFri 2026-11-20 10:00:01.456789 UTC [s=abc;i=2;b=def;m=1;t=2;x=3]\n    PRIORITY=3\n    MESSAGE=Failed',
    { _time: '10:00:00.123456' },
    { _time: '10:00:01.456789' },
  ],
  steam: [
    '[2026-11-20 10:00:00] AppID 440 state changed : Update Required,\n[2026-11-20 10:00:01] Failed loading compiled package info',
    { _time: '10:00:00', message: 'AppID 440 state changed : Update Required,' },
    { _time: '10:00:01' },
  ],
  mikrotik: [
    'nov/20/2026 10:00:00 system,info,account user admin logged in from 10.0.0.5 via winbox\nnov/20/2026 10:00:01 firewall,info forward: in:ether1 out:ether2, proto TCP\nnov/20/2026 10:00:02 system,error,critical login failure for user root',
    { _time: '10:00:00', level: 'info' },
    { _time: '10:00:01', level: 'info' },
    { _time: '10:00:02', level: 'critical' },
  ],
}

it.each(Object.entries(LOGS))('the lines of %s are read as it means them', async (_, log) => {
  const [lines, ...expected] = log
  const events = await eventsOf(Buffer.from(`${lines}\n`))
  const actual = events.map(({ fields }, index) => {
    const all: Readonly<Record<string, unknown>> = { ...fields, _time: clockOf(fields._time) }
    return Object.fromEntries(Object.keys(expected[index] ?? all).map((key) => [key, all[key]]))
  })
  expect(actual).toEqual(expected)
})

/** Returns the time of day without zeros at the end of its fraction. */
function clockOf(time: unknown): unknown {
  return typeof time === 'string'
    ? time.replace(/^2026-11-20T|Z$/g, '').replace(/(?:\.0+|(?<=\.\d+)0+)$/, '')
    : time
}
