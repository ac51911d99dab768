const SYSLOG = {
  PROG: '[\\x21-\\x5a\\x5c\\x5e-\\x7e]+?',
  SYSLOGPROG: '%{PROG:program}(?:\\[%{POSINT:pid:int}\\])?',
  SYSLOGHOST: '%{IPORHOST}',
  SYSLOGFACILITY: '<%{NONNEGINT:facility:int}\\.%{NONNEGINT:priority:int}>',
  SYSLOGBASE:
    '%{SYSLOGTIMESTAMP:timestamp} (?:%{SYSLOGFACILITY} )?%{SYSLOGHOST:logsource} %{SYSLOGPROG}:',
  SYSLOGBASE2:
    '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp}) (?:%{SYSLOGFACILITY} )?%{SYSLOGHOST:logsource} (?:%{SYSLOGPROG}:)?',
  SYSLOGLINE: '%{SYSLOGBASE2} %{GREEDYDATA:message}',
  SYSLOG5424PRI: '<%{NONNEGINT:syslog5424_pri:int}>',
  SYSLOG5424SD: '(?:\\[(?:"(?:\\\\.|[^"\\\\])*"|[^\\]"])*\\])+',
  SYSLOG5424BASE:
    '%{SYSLOG5424PRI}%{NONNEGINT:syslog5424_ver:int} +(?:-|%{TIMESTAMP_ISO8601:timestamp}) +(?:-|%{NOTSPACE:syslog5424_host}) +(?:-|%{NOTSPACE:syslog5424_app}) +(?:-|%{NOTSPACE:syslog5424_proc}) +(?:-|%{NOTSPACE:syslog5424_msgid}) +(?:-|%{SYSLOG5424SD:syslog5424_sd})',
  SYSLOG5424LINE: '%{SYSLOG5424BASE}(?: %{GREEDYDATA:message})?',
}

const WEB = {
  HTTPDUSER: '(?:%{EMAILADDRESS}|%{USER})',
  HTTPREQUEST:
    '(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?|%{DATA:rawrequest})',
  COMMONAPACHELOG:
    '%{IPORHOST:clientip} (?:%{HTTPDUSER:ident}) (?:%{HTTPDUSER:auth}) \\[%{HTTPDATE:timestamp}\\] "%{HTTPREQUEST}" %{INT:response:int} (?:%{INT:bytes:int}|-)',
  COMBINEDAPACHELOG: '%{COMMONAPACHELOG} %{QS:referrer} %{QS:agent}',
  HTTPD_COMMONLOG: '%{COMMONAPACHELOG}',
  HTTPD_COMBINEDLOG: '%{COMBINEDAPACHELOG}',
  HTTPD20_ERRORLOG:
    '\\[%{HTTPDERROR_DATE:timestamp}\\] \\[%{LOGLEVEL:loglevel}\\] (?:\\[client %{IPORHOST:clientip}\\] )?%{GREEDYDATA:message}',
  HTTPD24_ERRORLOG:
    '\\[%{HTTPDERROR_DATE:timestamp}\\] \\[(?:%{WORD:module})?:%{LOGLEVEL:loglevel}\\] \\[pid %{POSINT:pid:int}(?::tid %{NUMBER:tid:int})?\\](?: \\(%{POSINT:proxy_errorcode:int}\\)%{DATA:proxy_message}:)?(?: \\[client %{IPORHOST:clientip}(?::%{POSINT:clientport:int})?\\])?(?: %{WORD:errorcode}:)? %{GREEDYDATA:message}',
  HTTPD_ERRORLOG: '(?:%{HTTPD20_ERRORLOG}|%{HTTPD24_ERRORLOG})',
  NGINXERRORLOG:
    '(?<timestamp>\\d{4}/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d) \\[%{LOGLEVEL:loglevel}\\] %{POSINT:pid:int}#%{NONNEGINT:tid:int}: (?:\\*%{NONNEGINT:connection:int} )?%{GREEDYDATA:message}',
  HAPROXYDATE: '%{MONTHDAY}/%{MONTH}/\\d{4}:%{TIME}',
  HAPROXYHTTPBASE:
    '%{IP:client_ip}:%{INT:client_port:int} \\[%{HAPROXYDATE:timestamp}\\] %{NOTSPACE:frontend_name} %{NOTSPACE:backend_name}/%{NOTSPACE:server_name} %{INT:time_request:int}/%{INT:time_queue:int}/%{INT:time_backend_connect:int}/%{INT:time_backend_response:int}/\\+?%{NOTSPACE:time_duration} %{INT:http_status_code:int} \\+?%{NOTSPACE:bytes_read} %{DATA:captured_request_cookie} %{DATA:captured_response_cookie} %{NOTSPACE:termination_state} %{INT:actconn:int}/%{INT:feconn:int}/%{INT:beconn:int}/%{INT:srvconn:int}/\\+?%{NOTSPACE:retries} %{INT:srv_queue:int}/%{INT:backend_queue:int} (?:\\{%{DATA:captured_request_headers}\\} )?(?:\\{%{DATA:captured_response_headers}\\} )?"(?:<BADREQ>|%{WORD:http_verb} %{NOTSPACE:http_request}(?: HTTP/%{NUMBER:http_version})?)',
  HAPROXYHTTP: '(?:%{SYSLOGBASE} )?%{HAPROXYHTTPBASE}',
}

const LANGUAGES = {
  JAVACLASS: '(?:[a-zA-Z$_][a-zA-Z$_0-9]*\\.)*[a-zA-Z$_][a-zA-Z$_0-9]*',
  JAVALOGMESSAGE: '.*',
  CATALINA_DATESTAMP: '%{MONTH} %{MONTHDAY}, 20\\d\\d %{HOUR}:%{MINUTE}:%{SECOND} [AP]M',
  CATALINALOG: '%{CATALINA_DATESTAMP:timestamp} %{JAVACLASS:class} %{JAVALOGMESSAGE:logmessage}',
  RUBY_LOGLEVEL: '(?:DEBUG|FATAL|ERROR|WARN|INFO|ANY|UNKNOWN)',
  RUBY_LOGGER:
    '[DFEWIAU], \\[%{TIMESTAMP_ISO8601:timestamp} #%{POSINT:pid:int}\\] +%{RUBY_LOGLEVEL:loglevel} -- +%{DATA:progname}: %{GREEDYDATA:message}',
}

/** The grok patterns of whole lines, with the field names of the original, before the Elastic Common Schema. */
export const GROK_LOG_PATTERNS: Readonly<Record<string, string>> = {
  ...SYSLOG,
  ...WEB,
  ...LANGUAGES,
}
