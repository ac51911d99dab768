import { formatsByName } from './line-format.js'

const CONNECTIONS =
  '%{INT:active_connections:long}/%{INT:frontend_connections:long}/%{INT:backend_connections:long}/%{INT:server_connections:long}/(?<retries:long>\\+?\\d+) %{INT:server_queue:long}/%{INT:backend_queue:long}'
const ELB =
  '%{TIME:_time} %{NOTSPACE:elb} %{NOTSPACE:client} (?:-|%{VALUE:target}) %{NUMBER:request_processing_time:real} %{NUMBER:target_processing_time:real} %{NUMBER:response_processing_time:real} (?:-|%{INT:status:long}) (?:-|%{INT:target_status:long}) %{INT:received_bytes:long} %{INT:bytes:long} "%{URL_REQUEST}"'

/** Formats of web servers, proxies and load balancers; `clf.ts` reads the common log format. */
export const WEB_FORMATS = formatsByName({
  'nginx-error': {
    title: 'nginx error log, and the log of NGINX Unit',
    example:
      '2026/11/20 10:00:00 [error] 1234#5678: *90 open() "/favicon.ico" failed, client: 192.0.2.1, server: example.com',
    patterns:
      '%{TIME:_time} \\[%{LEVEL:level}\\] %{INT:pid:long}#%{INT:tid:long}:? (?:\\*%{INT:connection:long} )?(?:(?=[^\\n]{0,8192}?, client: %{CLIENT:client}(?=,|\\n|$)(?:, server: (?<server>[^,\\n]*))?(?:, request: "%{REQUEST}")?(?:, subrequest: "[^"\\n]*")?(?:, upstream: "(?<upstream>[^"\\n]*)")?(?:, host: "(?<authority>[^"\\n]*)")?)|)%{MESSAGE:message}',
  },
  passenger: {
    title: 'Phusion Passenger',
    example:
      '[ N 2026-11-20 10:00:00.1234 123/T1 age/Wat/WatchdogMain.cpp:1373 ]: Starting Passenger watchdog...',
    patterns:
      '\\[ (?<level>[CEWNID])\\d? %{TIME:_time} %{INT:pid:long}/(?<thread>\\w{1,20}) %{SOURCE:file}:%{INT:line:long} \\]: ?%{MESSAGE:message}',
  },
  'apache-error': {
    title: 'Apache error log, 2.2 and 2.4',
    example:
      '[Fri Nov 20 10:00:01.000001 2026] [core:error] [pid 1235:tid 140735113216065] [client 192.0.2.1:54321] AH00126: Invalid URI',
    patterns:
      '\\[(?=[A-Z][a-z]{2} )%{TIME:_time}\\] \\[(?:(?<logger>\\w+)?:)?%{APACHE_LEVEL:level}\\] (?:\\[pid %{INT:pid:long}(?::tid %{INT:tid:long})?\\] )?(?:%{SOURCE:file}\\(%{INT:line:long}\\): )?(?:\\[client (?<client>[^\\s\\]]+?)(?::(?<client_port:long>\\d{1,5}))?\\] )?%{MESSAGE:message}',
  },
  'traffic-server': {
    title: 'Apache Traffic Server: diags.log, traffic.out',
    example: '[Nov 20 10:00:00.123] traffic_server ERROR: <Main.cc:12 (main)> failed',
    patterns:
      '\\[%{TIME:_time}\\] (?:(?<app>\\w{1,40})|\\{(?<thread>0x[0-9a-f]{1,16})\\}|\\[(?<thread>[^\\]\\n]{1,40})\\]) (?<level>DIAG|STATUS|NOTE|%{CAPITAL_LEVEL}): (?:<%{SOURCE:file}:%{INT:line:long}(?: \\((?<function>[^)\\n]{1,100})\\))?> ?)?%{MESSAGE:message}',
    levels: { DIAG: 'debug', STATUS: 'info' },
  },
  'lighttpd-error': {
    title: 'lighttpd error log',
    example: '2026-11-20 10:00:00: (server.c.1464) server started (lighttpd/1.4.69)',
    patterns: '%{TIME:_time}: \\(%{SOURCE:file}\\.%{INT:line:long}\\) ?%{MESSAGE:message}',
  },
  haproxy: {
    title: 'HAProxy, HTTP and TCP, without syslog',
    example:
      '10.0.1.2:33317 [20/Nov/2026:09:59:59.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /index.html HTTP/1.1"',
    patterns: [
      `%{CLIENT:remote_addr}:%{INT:remote_port:long} \\[%{TIME:_time}\\] %{NOTSPACE:frontend} (?<backend>[^\\s/]+)/%{NOTSPACE:server} %{INT:time_request_ms:long}/%{INT:time_queue_ms:long}/%{INT:time_connect_ms:long}/%{INT:time_response_ms:long}/(?<time_total_ms:long>\\+?\\d+) %{INT:status:long} (?<bytes:long>\\+?\\d+) (?:-|%{VALUE:request_cookie}) (?:-|%{VALUE:response_cookie}) %{NOTSPACE:termination_state} ${CONNECTIONS} (?:\\{(?<request_headers>[^}\\n]*)\\} )?(?:\\{(?<response_headers>[^}\\n]*)\\} )?"%{REQUEST}"%{MESSAGE:message}`,
      `%{CLIENT:remote_addr}:%{INT:remote_port:long} \\[%{TIME:_time}\\] %{NOTSPACE:frontend} (?<backend>[^\\s/]+)/%{NOTSPACE:server} %{INT:time_queue_ms:long}/%{INT:time_connect_ms:long}/(?<time_total_ms:long>\\+?\\d+) (?<bytes:long>\\+?\\d+) %{NOTSPACE:termination_state} ${CONNECTIONS}%{MESSAGE:message}`,
      '%{CLIENT:remote_addr}:%{INT:remote_port:long} \\[%{TIME:_time}\\] (?<frontend>[^\\s/]+)/(?<bind>[^\\s:]+): %{MESSAGE:message}',
      '\\[(?<level>[A-Z]{4,9})\\] +(?:\\d{1,3}/\\d{6} )?\\(%{INT:pid:long}\\) : ?%{MESSAGE:message}',
      'Connect from %{CLIENT:remote_addr}:%{INT:remote_port:long} to (?<local_addr>[\\w.:-]+):%{INT:local_port:long} \\((?<frontend>[^/\\n]+)/\\w+\\)%{MESSAGE:message}',
      '(?=(?:Server|Backup Server|Proxy|Health check for|backend) )%{MESSAGE:message}',
    ],
    start:
      '(?:[\\w.:-]+:\\d{1,5} \\[%{TIME:_time}\\]|\\[[A-Z]{4,9}\\] +(?:\\d{1,3}/\\d{6} )?\\(\\d{1,10}\\) : |Connect from |(?:Server|Backup Server|Proxy|Health check for|backend) )',
  },
  'nginx-proxy-manager': {
    title: 'Nginx Proxy Manager',
    example:
      '[20/Nov/2026:10:00:00 +0000] - 200 200 - GET https app.example.com "/a?b=1" [Client 192.0.2.5] [Length 512] [Gzip 3.10] [Sent-to 10.0.0.5] "curl/8.0" "-"',
    patterns:
      '\\[%{TIME:_time}\\] (?:(?:-|(?<cache_status>[A-Z]{3,12})) (?:-|%{INT:upstream_status:long}) )?%{INT:status:long} - (?<method>[A-Z]{3,12}) (?<scheme>https?) %{NOTSPACE:authority} "(?<path>[^"\\n]*)" \\[Client (?<remote_addr>[\\da-fA-F.:]+)\\] \\[Length (?:-|%{INT:bytes:long})\\] \\[Gzip (?:-|(?<gzip_ratio:real>[\\d.]+))\\](?: \\[Sent-to (?<upstream>[^\\]\\n]+)\\])? "(?:-|(?<user_agent>[^"\\n]*))" "(?:-|(?<referer>[^"\\n]*))"%{MESSAGE:message}',
  },
  'oauth2-proxy': {
    title: 'OAuth2 Proxy: requests, authentication and its own messages',
    example:
      '192.0.2.5 - 4f1c2e3d-0123 - ann@example.com [2026/11/20 10:00:00] app.example.com GET - "/a" HTTP/1.1 "curl/8.0" 200 123 0.001',
    patterns: [
      '%{NOTSPACE:remote_addr} - %{NOTSPACE:request_id} - (?:-|%{VALUE:user}) \\[%{TIME:_time}\\] (?:\\[(?<result>Auth\\w+)\\] |%{NOTSPACE:authority} (?<method>[A-Z]{3,10}) (?:-|%{VALUE:upstream}) "(?<path>[^"\\n]*)" (?<protocol>HTTP/[\\d.]+) "(?:-|%{QUOTED:user_agent})" %{INT:status:long} %{INT:bytes:long} (?<duration_s:real>[\\d.]+)(?=\\n|$))%{MESSAGE:message}',
      '\\[%{TIME:_time}\\] \\[(?<file>[\\w./-]+\\.go):%{INT:line:long}\\] %{MESSAGE:message}',
    ],
  },
  squid: {
    title: 'Squid access log',
    example:
      '1763632800.123    109 192.0.2.5 TCP_MISS/200 1234 GET http://example.com/index.html - HIER_DIRECT/93.184.216.34 text/html',
    patterns:
      '%{TIME:_time} +%{INT:duration_ms:long} %{NOTSPACE:remote_addr} (?<cache_result>\\w+)/%{INT:status:long} %{INT:bytes:long} (?<method>[\\w-]+) %{NOTSPACE:url} (?:-|%{VALUE:user}) (?<hierarchy>\\w+)/(?:-|%{VALUE:peer}) (?:-|%{VALUE:content_type})%{MESSAGE:message}',
  },
  alb: {
    title: 'AWS application load balancer',
    example:
      'http 2026-11-20T10:00:00.186641Z app/lb/50dc6c 192.0.2.1:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET http://www.example.com:80/ HTTP/1.1" "curl/7.46.0" - - arn:aws:elasticloadbalancing:us-east-2:1:targetgroup/t/7 "Root=1-58" "-" "-" 0 2026-11-20T10:00:00.000000Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"',
    patterns: `(?<type>https?|h2|grpcs|wss?) ${ELB} "(?:-|%{QUOTED:user_agent})" (?:-|%{VALUE:ssl_cipher}) (?:-|%{VALUE:ssl_protocol}) (?:-|%{VALUE:target_group_arn}) "(?:-|%{QUOTED:trace_id})" "(?:-|%{QUOTED:domain_name})" "(?:-|%{QUOTED:chosen_cert_arn})" %{INT:matched_rule_priority:long} %{NOTSPACE:request_creation_time} "(?:-|%{QUOTED:actions_executed})" "(?:-|%{QUOTED:redirect_url})" "(?:-|%{QUOTED:error_reason})"(?: "(?:-|%{QUOTED:targets})" "(?:-|%{QUOTED:target_statuses})")?(?: "(?:-|%{QUOTED:classification})" "(?:-|%{QUOTED:classification_reason})")?%{MESSAGE:message}`,
  },
  elb: {
    title: 'AWS classic load balancer',
    example:
      '2026-11-20T10:00:00.945958Z my-lb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET http://www.example.com:80/ HTTP/1.1" "curl/7.38.0" - -',
    patterns: `${ELB}(?: "(?:-|%{QUOTED:user_agent})" (?:-|%{VALUE:ssl_cipher}) (?:-|%{VALUE:ssl_protocol}))?%{MESSAGE:message}`,
  },
  s3: {
    title: 'Amazon S3 server access log',
    example:
      '79a59df900b949e5 bucket1 [06/Feb/2019:00:00:38 +0000] 192.0.2.3 79a59df900b949e5 3E57427F3EXAMPLE REST.GET.VERSIONING - "GET /bucket1?versioning HTTP/1.1" 200 - 113 - 7 - "-" "S3Console/0.4" - s9lz= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader bucket1.s3.amazonaws.com TLSV1.2 - -',
    patterns:
      '%{NOTSPACE:bucket_owner} %{NOTSPACE:bucket} \\[%{TIME:_time}\\] (?:-|%{VALUE:remote_addr}) (?:-|%{VALUE:requester}) %{NOTSPACE:request_id} (?<operation>[A-Z0-9]+(?:\\.\\w+)+) (?:-|%{VALUE:key}) (?:"%{REQUEST}"|-) (?:-|%{INT:status:long}) (?:-|%{VALUE:error_code}) (?:-|%{INT:bytes:long}) (?:-|%{INT:object_size:long}) (?:-|%{INT:total_time_ms:long}) (?:-|%{INT:turnaround_time_ms:long}) (?:"(?:-|%{QUOTED:referer})"|-) "(?:-|%{QUOTED:user_agent})" (?:-|%{VALUE:version_id})(?: (?:-|%{VALUE:host_id}) (?:-|%{VALUE:signature_version}) (?:-|%{VALUE:cipher_suite}) (?:-|%{VALUE:authentication_type}) (?:-|%{VALUE:host_header}) (?:-|%{VALUE:tls_version})(?: (?:-|%{VALUE:access_point_arn})(?: (?:-|%{VALUE:acl_required}))?)?)?%{MESSAGE:message}',
  },
  'envoy-access': {
    title: 'Envoy and Istio access log',
    example:
      '[2026-11-20T10:00:00.123Z] "GET /api HTTP/1.1" 200 - 0 1234 15 14 "192.0.2.7" "curl/8.0.1" "b4b1a4f0-0f5a-9f8c-8a1d-0e6a0f8d7c6b" "example.com" "10.0.0.5:8080"',
    patterns:
      '\\[%{TIME:_time}\\] "%{REQUEST}" %{INT:status:long} (?:-|%{VALUE:response_flags})(?: (?:-|%{VALUE:response_code_details}) (?:-|%{VALUE:termination_details}) "(?:-|%{QUOTED:upstream_failure})")? %{INT:received_bytes:long} %{INT:bytes:long} (?:-|%{INT:duration_ms:long}) (?:-|%{INT:upstream_time_ms:long}) "(?:-|%{QUOTED:forwarded_for})" "(?:-|%{QUOTED:user_agent})" "(?:-|%{QUOTED:request_id})" "(?:-|%{QUOTED:authority})" "(?:-|%{QUOTED:upstream_host})"%{MESSAGE:message}',
  },
  envoy: {
    title: 'Envoy',
    example:
      '[2026-11-20 10:00:00.123][1][info][main] [source/server/server.cc:413] initializing epoch 0',
    patterns:
      '\\[%{TIME:_time}\\]\\[%{INT:tid:long}\\]\\[%{LEVEL:level}\\]\\[%{NAME:logger}\\] (?:\\[%{SOURCE:file}:%{INT:line:long}\\] )?%{MESSAGE:message}',
  },
  gin: {
    title: 'Gin, Negroni',
    example:
      '[GIN] 2026/11/20 - 10:00:00 | 200 |      45.283µs |       127.0.0.1 | GET      "/ping"',
    patterns: [
      '\\[(?<app>GIN)\\] %{TIME:_time} \\| *%{INT:status:long} \\| *(?<duration>\\S+) \\| *%{CLIENT:remote_addr} \\| *(?<method>[A-Z]+) +"?(?<path>[^\\s"]*)"?%{MESSAGE:message}',
      '\\[(?<app>negroni)\\] %{TIME:_time} \\| *%{INT:status:long} \\|\\s*(?<duration>\\S+) \\| *(?<host>\\S+) \\| *(?<method>[A-Z]+) (?<path>\\S*)%{MESSAGE:message}',
      // The routes, before the first request.
      '\\[(?<app>GIN)-debug\\] (?:\\[%{LEVEL:level}\\] )?%{MESSAGE:message}',
    ],
  },
  fiber: {
    title: 'Fiber',
    example: '10:00:00 | 200 |      45.28µs | 127.0.0.1 | GET | /ping | -',
    patterns:
      '%{CLOCK:time} \\| *%{INT:status:long} \\| *(?<duration>\\S+) \\| *%{CLIENT:remote_addr} \\| *(?<method>[A-Z]+) *\\| *(?<path>\\S*) *(?:\\| (?:-(?=\\s|$))?|(?=\\n|$))%{MESSAGE:message}',
  },
  chi: {
    title: 'chi, goji: requests in the log of Go',
    example:
      '2026/11/20 10:00:00 [host/U0XtpzFP8E-000001] "GET http://localhost:3000/ping HTTP/1.1" from 127.0.0.1:58186 - 200 6B in 66.519µs',
    patterns:
      '%{TIME:_time} (?:\\[(?<request_id>[^\\]\\s]{1,100})\\] )?"(?<method>[A-Z]+) (?<url>\\S+) (?<protocol>HTTP/[\\d.]+)" from (?<remote_addr>\\S+) - %{INT:status:long} %{INT:bytes:long}B in (?<duration>\\S+)%{MESSAGE:message}',
  },
  litespeed: {
    title: 'LiteSpeed and OpenLiteSpeed: error.log',
    example: '2026-11-20 10:00:00.123456 [NOTICE] [1234] [T0] Memory size is: 2035352KB.',
    patterns:
      '%{TIME:_time} \\[%{LEVEL:level}\\] \\[%{INT:pid:long}\\] \\[(?<thread>T\\d{1,4})\\] %{MESSAGE:message}',
  },
  'php-fpm': {
    title: 'access logs of PHP-FPM, and of Sling, on which Adobe Experience Manager is based',
    example: '192.0.2.7 -  20/Nov/2026:10:00:00 +0000 "GET /index.php" 200',
    patterns:
      '%{CLIENT:remote_addr} - (?:-|%{VALUE:user})? ?%{TIME:_time} "(?<method>[A-Z]{3,10}) (?<path>[^\\s"]{0,4096})(?: (?<protocol>HTTP/[\\d.]+))?" %{INT:status:long}(?: (?:-|%{INT:bytes:long}) "(?:-|%{QUOTED:referer})" "(?:-|%{QUOTED:user_agent})")?%{MESSAGE:message}',
  },
  morgan: {
    title: 'morgan: the formats dev, tiny and short; json-server',
    example: 'GET /users?page=2 200 12.345 ms - 1024',
    patterns: [
      '(?<method>[A-Z]{3,10}) (?<path>[^\\s"]+) (?:-|%{INT:status:long}) (?:-|%{NUMBER:duration_ms:real}) ms - (?:-|%{INT:bytes:long})(?=\\n|$)%{MESSAGE:message}',
      '(?:(?<remote_addr>[\\da-fA-F.:]+) (?:-|%{VALUE:user}) )?(?<method>[A-Z]{3,10}) (?<path>[^\\s"]+) (?:(?<protocol>HTTP/[\\d.]+) )?(?:-|%{INT:status:long}) (?:-|%{INT:bytes:long}) - (?:-|%{NUMBER:duration_ms:real}) ms(?=\\n|$)%{MESSAGE:message}',
    ],
    start: '',
  },
  uwsgi: {
    title: 'uWSGI requests',
    example:
      '[pid: 28|app: 0|req: 1/1] 192.0.2.1 () {28 vars in 300 bytes} [Fri Nov 20 10:00:00 2026] GET / => generated 12 bytes in 3 msecs (HTTP/1.1 200) 2 headers in 79 bytes (1 switches on core 0)',
    patterns:
      '\\[pid: %{INT:pid:long}\\|app: (?:-|%{VALUE:app})\\|req: (?:-|%{INT:app_requests:long})/%{INT:requests:long}\\] %{NOTSPACE:remote_addr} \\((?<user>[^)\\n]*)\\) \\{%{INT:variables:long} vars in %{INT:variable_bytes:long} bytes\\} \\[%{TIME:_time}\\] (?<method>\\w+) (?<path>[^\\n]*?) => generated %{INT:bytes:long} bytes in %{INT:duration_ms:long} msecs \\((?<protocol>HTTP/[\\d.]+) %{INT:status:long}\\) %{INT:headers:long} headers in %{INT:header_bytes:long} bytes \\(%{INT:switches:long} switches on core %{INT:core:long}\\)%{MESSAGE:message}',
  },
  varnishlog: {
    title: 'Varnish: varnishlog, an event per request',
    example:
      '*   << Request  >> 12\n-   Begin          req 11 rxreq\n-   Timestamp      Start: 1795168800.123456 0.000000 0.000000\n-   End',
    patterns: [
      '\\*{1,4} +<< (?<type>\\w{3,10}) +>> +%{INT:transaction:long} *(?=\\n(?:-[^\\n]{0,2000}\\n){1,100}?-+ +Timestamp +\\w+: %{TIME:_time} )%{MESSAGE:message}',
      '\\*{1,4} +<< (?<type>\\w{3,10}) +>> +%{INT:transaction:long} *%{MESSAGE:message}',
    ],
    start: '\\*{1,4} +<< \\w{3,10} +>> +\\d',
  },
})
