import { binarySize } from '../../../text/binary-size.js'
import { SYSLOG_MESSAGE_BYTES, SYSLOG_QUEUE_BYTES } from '../../../wire/limits.js'
import { type Block, blocksOf } from '../block.js'

export async function service(): Promise<readonly Block[]> {
  const { FOREIGN_APIS, FOREIGN_SCHEMES } = await import('../../../service/ingest/foreign-apis.js')
  const tokens = ['Authorization: Bearer', ...FOREIGN_SCHEMES].map((one) => `\`${one} <token>\``)
  const ways = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(tokens)
  return blocksOf(`
\`evq serve\` serves the data directory over HTTP. Its first start prints two tokens, once: a personal token, which
permits everything, and an API token, which permits ingest, queries and saved queries.

    evq serve --listen 127.0.0.1:4600
    export EVQ_URL=http://127.0.0.1:4600 EVQ_TOKEN=xapt-…
    evq query "['logs'] | count"

## Tokens

Personal tokens begin with \`xapt-\`, API tokens with \`xaat-\`. SDKs of the hosted service take an API token, and refuse personal tokens
with the URL of an edge deployment; its official CLI and the management of datasets need a personal token.

    evq token create shipper --ingest logs --expires 90d
    evq token create board --query logs --starred read

Tokens are in the data directory. While \`EVQ_URL\` or a profile selects a deployment, \`evq token\` refuses to run: \`-P local\` selects the
data directory.

New and revoked tokens take effect immediately. To replace a token, create one with another name, give it to the clients, as with
\`evq profile add prod --token-stdin\`, and revoke the old one. Only hashes are stored. A dataset that a token may not query does not exist for
it: \`union *\` skips it, and a query that names it gets the same 403 as for a dataset that does not exist.

Clients send ${ways}; \`ApiKey\` also with \`<id>:<token>\` in base64.
With \`Basic\`, the token is the password, or the user when the password is empty.

## Endpoints

/healthz, /readyz :: liveness and readiness; no token needed. In a cluster with replicas, \`/readyz\` is 503 while a shard has no replica in use, and lists the degraded shards
/metrics :: Prometheus text; on loopback, open to requests whose \`Host\` is \`localhost\` or a loopback address. \`evq help clickhouse\` has the metrics of replicas
/openapi.json :: the interface as OpenAPI 3.1

Clients of other vendors' APIs send events, too:

${FOREIGN_APIS.map(({ name, summary }) => `- ${name}: ${summary}`).join('\n')}

Each request is logged on standard error, as JSON unless standard error is a terminal.

## Clients of the hosted service

Its SDKs for JavaScript, Python, Go and Rust, its command line and its Grafana data source work as they are, with the address of the
service as their URL (\`evq help shippers\` has the settings of Grafana, pino and winston). They use the paths under /v1 and /v2 for
ingest, queries, datasets, saved queries and the current user. SDKs take the address as their option \`url\` (\`AXIOM_URL\` for Go),
and clients of an edge deployment as \`edgeUrl\`, \`edge_url\` or \`AXIOM_EDGE_URL\`. The command line takes it from its environment, because its
\`auth login\` always asks the vendor:

    export AXIOM_URL=http://127.0.0.1:4600
    export AXIOM_TOKEN=xapt-…

In responses to these clients:

_totals :: a second table of a result by \`bin(_time, …)\` or \`bin_auto(_time)\`: its groups over the whole time range, computed from the events. The query reads them a second time
timespan :: values are strings such as \`1m20s\`
503 with Retry-After :: too many events wait to be stored; SDKs repeat the request
408 :: a request body stopped arriving. If it has a length or a batch id, nothing is stored; if it is streamed, its complete events are stored, and the message has their number
streaming-duration=5s :: in legacy queries, the time to wait for a matching event before an empty response; at most a minute

evq itself requests \`application/vnd.evq.exact+json\`: timespans in nanoseconds, and no totals.

Ingest takes \`X-Axiom-CSV-Fields\` and \`X-Axiom-Event-Labels\`, and refuses unknown headers with this prefix, because they may change the
events. Some things are different from the hosted service:

- Datasets need not be created: their first events create them. A dataset that is created before has no fields until then.
- \`who\` of a dataset is the name of the token that created it, and \`inputBytes\` the size of the stored events before compression.
- Only personal tokens create, change, trim and delete datasets. API tokens list and describe the datasets that they may query.
- \`trim\` refuses a \`maxDuration\` of 0: the Python SDK sends it for durations of whole days.
- A token without an organization belongs to \`evq\`; with another one in \`X-Axiom-Org-Id\`, a personal token is refused.
- There are no monitors, annotations, dashboards, metrics and virtual fields: these paths are 404.

Browsers do not let web pages use a service at another origin unless it allows them: \`--allow-origin https://app.example.com\` allows
pages of this origin to ingest and query, \`--allow-origin '*'\` pages of any origin. A token in a web page is public, so it should only
permit ingest into one dataset.

## OpenTelemetry

The dataset is named by the header \`X-Axiom-Dataset\` or the query parameter \`dataset\`; the default is set by
\`evq serve --default-dataset\`. An event is a log record or a span:

_time :: the time of the record, else the time at which it was observed; the start of a span
body, severity_text, severity_number, event_name :: of log records. A body that is a map becomes fields: \`body.user.id\`
level :: the level of the severity number: trace, debug, info, warn, error or fatal
name, kind, duration, status.code, status.message, error, events, links :: of spans. \`duration\` is in nanoseconds: \`totimespan(duration)\`
trace_id, span_id, parent_span_id :: in hexadecimal
attributes.http.route, resource.host.name :: attributes in the semantic conventions, in any version of them
['attributes.custom']['k'], ['resource.custom']['k'] :: other attributes
service.name, service.version :: also without \`resource.\`
scope.name, scope.version, scope.attributes.k :: of the instrumentation scope
observed_time_unix_nano, flags, trace_state, dropped_attributes_count :: where they are set

Bytes are strings in base64; numbers that are not finite are the strings \`NaN\`, \`Infinity\` and \`-Infinity\`. Records that can't be stored
are counted in \`partialSuccess\`, with the reason of the first one.

## Syslog

    evq serve --syslog 127.0.0.1:5514 --syslog-dataset logs

receives RFC 5424 and RFC 3164 over TCP (lines, or frames with octet counting) and UDP; fields are the same as with \`evq ingest\`. \`--syslog\` is
repeatable; \`--port-file\` has the port of HTTP in the first line and the ports of syslog, one per line, after it. Times without a zone, as in RFC 3164, are in UTC unless \`--syslog-timezone Europe/Berlin\` names another zone; times without a
year are in the latest possible year. Senders need no token, so name an address that only they can reach. Messages are stored together, after a second at most.
While storing fails, TCP connections wait, and UDP datagrams that do not fit into ${binarySize(SYSLOG_QUEUE_BYTES)} are dropped. Messages are truncated at ${binarySize(SYSLOG_MESSAGE_BYTES)}. In \`/metrics\`,
\`evq_dropped_messages_total\`, \`evq_truncated_messages_total\` and \`evq_unparsed_messages_total\` count messages that were lost, truncated,
or stored as \`message\` only.

## Keeping a service running

Without a service, each local command starts the engine itself. With a service, a command takes a fraction of the time. \`--keep-warm 5m\`, or
\`EVQ_KEEP_WARM=5m\` in the environment, leaves a service for later commands; it ends after that time without requests, when
\`evq serve\` starts, or when evq was updated.

Events that could not be written completely, on a disk that fails or beyond a quota, are rejected; 64 MiB of the disk stay free. A merge
in the background that could not be written is undone and repeated a minute later, and the service says so. An error that the system
reports only when data is flushed to the disk goes unnoticed by the embedded engine.

A service of your account under systemd, in \`~/.config/systemd/user/evq.service\`:

    [Service]
    ExecStart=/usr/bin/env evq serve
    Restart=on-failure
    [Install]
    WantedBy=default.target

    systemctl --user enable --now evq
    journalctl --user -u evq
    loginctl enable-linger

Without the last command, the service ends when you log out. A service of the machine, in \`/etc/systemd/system/evq.service\`, runs as
a user without a login and keeps its data in \`/var/lib/evq\`:

    [Unit]
    After=network.target
    [Service]
    ExecStart=/usr/bin/env evq serve
    User=evq
    StateDirectory=evq
    StateDirectoryMode=0700
    Environment=EVQ_DATA_DIR=/var/lib/evq
    Restart=on-failure
    [Install]
    WantedBy=multi-user.target

    sudo useradd -r evq
    sudo systemctl enable --now evq
    sudo journalctl -u evq

The journal has the first tokens. An image for containers, from a clone of the repository, keeps the data in a volume:

    FROM node:22-slim
    COPY . /evq
    RUN cd /evq && npm run build && npm link
    RUN install -d -o node /data
    USER node
    ENV EVQ_DATA_DIR=/data
    VOLUME /data
    CMD ["evq", "serve", "--listen", "0.0.0.0:4600"]

    docker run -d -v evq:/data -p 127.0.0.1:4600:4600 evq

Under launchd, in \`~/Library/LaunchAgents/evq.plist\`, which
\`launchctl load\` starts:

    <plist version="1.0"><dict>
    <key>Label</key><string>evq</string>
    <key>ProgramArguments</key>
    <array><string>/usr/local/bin/node</string>
    <string>/usr/local/bin/evq</string>
    <string>serve</string></array>
    <key>StandardErrorPath</key>
    <string>/Users/me/Library/Logs/evq.log</string>
    <key>RunAtLoad</key><true/>
    <key>KeepAlive</key><true/>
    </dict></plist>

The paths of Node and evq are what \`which node evq\` prints: launchd has a short \`PATH\`, usually without Node. The first tokens are
in the log. \`--listen none\` serves only local commands of your account, which need no token.

## TLS

The service has no TLS of its own. For clients on other machines, run a reverse proxy with a certificate in front of it, and let
the service listen on loopback. Clients then use the \`https://\` address of the proxy; \`--ca-file\` names the certificate of a private authority.
The proxy has to accept bodies of 64 MiB, to wait longer than a query may run, and to pass the \`Host\` of requests on, because
a request with a loopback address as its \`Host\` may read \`/metrics\` without a token. In nginx:

    client_max_body_size 64m;
    proxy_read_timeout 5m;
    proxy_set_header Host $host;
    proxy_pass http://127.0.0.1:4600;

A proxy that removes the header \`X-Service-Batch-Id\` removes the ids of batches, and a batch that is sent again is stored twice.

## Backups

The data directory has the events, the saved queries, and the hashes of the tokens. Copy it while neither a service nor a
command uses it; to restore it, put the copy in its place. The checkpoints of \`evq ingest\` are not in it: \`evq ingest --replace\` sends
the events of files that a restored copy lacks. \`evq page\` exports one dataset while the service runs (see
\`evq help export\`). A newer version of evq upgrades the data when it opens the directory.

## Retention

\`--retention 30d\` deletes events that are older than 30 days, at most a 24th of this age, or a day, later.
\`evq dataset retain\` sets the maximum age of events in one dataset, which takes precedence.
`)
}
