import { REQUEST_NEW_DATASETS } from '../../../wire/limits.js'
import { blocksOf } from '../block.js'

export const SHIPPERS = blocksOf(`
Log shippers send to \`evq serve\` without plugins. Each configuration below stores events in the dataset \`logs\` of the service at
\`http://127.0.0.1:4600\`, with a token that only allows ingest into this dataset:

    evq serve
    evq token create shipper --ingest logs

All except syslog get a response once the events are stored, and retry otherwise. A request with events for more than ${REQUEST_NEW_DATASETS} datasets that
do not exist creates ${REQUEST_NEW_DATASETS} of them and gets 503; it is stored when it is repeated often enough. For shippers that give up earlier, such as
Fluent Bit with its \`retry_limit\` of 1, create the datasets first.

## Files

evq itself sends the files of another machine, such as the logs of nginx, and what is appended to them, also when they are rotated. The
same command resumes after a restart:

    export EVQ_URL=https://evq.example.com EVQ_TOKEN=xaat-…
    evq ingest logs --follow /var/log/nginx/access.log

## OpenTelemetry Collector

    exporters:
      otlphttp:
        endpoint: http://127.0.0.1:4600
        headers:
          authorization: Bearer xaat-…
          x-axiom-dataset: logs
    service:
      pipelines:
        logs: { receivers: [otlp], exporters: [otlphttp] }

## Vector

    [sinks.evq]
    type = "http"
    inputs = ["my_source"]
    uri = "http://127.0.0.1:4600/v1/ingest/logs?timestamp-field=timestamp"
    encoding.codec = "json"
    compression = "gzip"
    auth = { strategy = "bearer", token = "xaat-…" }

## Fluent Bit

    [OUTPUT]
        Name             http
        Match            *
        Host             127.0.0.1
        Port             4600
        URI              /v1/ingest/logs
        Format           json
        Json_Date_Key    _time
        Json_Date_Format iso8601
        Header           Authorization Bearer xaat-…

## Filebeat

    output.elasticsearch:
      hosts:
        - "http://127.0.0.1:4600/v1/ingest/logs/elastic"
      api_key: "evq:xaat-…"
    setup.ilm.enabled: false
    setup.template.enabled: false

## Logstash

    output {
      http {
        url => "http://127.0.0.1:4600/v1/ingest/logs?timestamp-field=@timestamp"
        http_method => "post"
        format => "json_batch"
        headers => { "Authorization" => "Bearer xaat-…" }
      }
    }

## Telegraf

    [[outputs.elasticsearch]]
      urls = [
        "http://127.0.0.1:4600/v1/ingest/logs/elastic"]
      auth_bearer_token = "xaat-…"
      index_name = "telegraf"
      manage_template = false
      health_check_interval = "0s"

## rsyslog

    evq serve --syslog 127.0.0.1:5514 --syslog-dataset logs

    template(name="evq" type="list") {
      constant(value="<") property(name="pri")
      constant(value=">1 ")
      property(name="timestamp" dateFormat="rfc3339")
      constant(value=" ") property(name="hostname")
      constant(value=" ") property(name="app-name")
      constant(value=" ") property(name="procid")
      constant(value=" ") property(name="msgid")
      constant(value=" ") property(name="structured-data")
      property(name="msg" spifno1stsp="on")
      property(name="msg" dropLastLf="on")
    }
    *.* action(type="omfwd" template="evq"
      target="127.0.0.1" port="5514" protocol="tcp"
      TCP_Framing="octet-counted"
      queue.type="linkedList" queue.size="100000"
      action.resumeRetryCount="-1")

While the service is unavailable, messages wait in the queue, whose default size of 1,000 is small. Messages in a connection that is lost
are lost, too; \`omelasticsearch\` gets responses, and resends such messages.

## syslog-ng

    destination d_evq {
      http(
        url("http://127.0.0.1:4600/v1/ingest/logs")
        method("POST")
        headers("Authorization: Bearer xaat-…",
          "Content-Type: application/x-ndjson")
        frac-digits(6)
        body("$(format-json --scope rfc5424 _time=$ISODATE
          level=$PRIORITY)")
        batch-lines(1000)
      );
    };
    log {
      source(s_src); destination(d_evq);
      flags(flow-control);
    };

Without \`flow-control\`, syslog-ng drops messages while the service is unavailable. \`level\` has the words of syslog: \`err\`, \`warning\`, \`notice\`.

## journald

    journalctl -f -n all -o json | evq ingest logs -

## Promtail

    clients:
      - url: http://127.0.0.1:4600/loki/api/v1/push
        tenant_id: logs
        bearer_token: xaat-…

## Grafana Alloy

    loki.write "evq" {
      endpoint {
        url       = "http://127.0.0.1:4600/loki/api/v1/push"
        tenant_id = "logs"
        bearer_token = "xaat-…"
      }
    }

## Logback

The appender of Loki4j:

    <appender name="EVQ"
        class="com.github.loki4j.logback.Loki4jAppender">
      <http>
        <url>http://127.0.0.1:4600/loki/api/v1/push</url>
        <tenantId>logs</tenantId>
        <auth>
          <username>evq</username>
          <password>xaat-…</password>
        </auth>
      </http>
    </appender>

## Elasticsearch libraries

Clients of versions 7, 8 and 9, and programs built on them, take this address and key:

    from elasticsearch import Elasticsearch, helpers
    es = Elasticsearch(
        "http://127.0.0.1:4600/v1/ingest/logs/elastic",
        api_key="xaat-…")
    helpers.bulk(es, [{"_index": "logs", "message": "hi"}])

The time of an event is its \`@timestamp\`.

## pino

    pino.transport({
      target: '@axiomhq/pino',
      options: {
        url: 'http://127.0.0.1:4600',
        dataset: 'logs',
        token: 'xaat-…',
      },
    })

or \`pino-elasticsearch\`, which sends no \`@timestamp\` without \`opType\`:

    pino.transport({
      target: 'pino-elasticsearch',
      options: {
        node:
          'http://127.0.0.1:4600/v1/ingest/logs/elastic',
        auth: { apiKey: 'xaat-…' },
        index: 'logs',
        opType: 'create',
      },
    })

## winston

    new WinstonTransport({
      url: 'http://127.0.0.1:4600',
      dataset: 'logs',
      token: 'xaat-…',
    })

of \`@axiomhq/winston\`, or \`winston-elasticsearch\`:

    new ElasticsearchTransport({
      indexPrefix: 'logs',
      clientOpts: {
        node:
          'http://127.0.0.1:4600/v1/ingest/logs/elastic',
        auth: { apiKey: 'xaat-…' },
      },
    })

## Docker

Existing containers need no configuration:

    docker logs -f my-container 2>&1 | evq ingest logs -

With Docker's Splunk logging driver, new containers send their output directly, and lines of JSON become fields:

    docker run --log-driver splunk \\
      --log-opt splunk-url=http://127.0.0.1:4600 \\
      --log-opt splunk-token=xaat-… \\
      --log-opt splunk-index=logs \\
      --log-opt splunk-format=json my-image

## Heroku

    heroku drains:add \\
      https://evq:xaat-…@evq.example.com/v1/ingest/logs

## Amazon Data Firehose

For a stream whose destination is an HTTP endpoint; CloudWatch Logs can be its source:

    HTTP endpoint URL:
      https://evq.example.com/v1/ingest/logs/firehose
    Access key: xaat-…

## Grafana

The plugin of the hosted service needs a token for queries (\`evq token create grafana --query logs\`):

    apiVersion: 1
    datasources:
      - name: evq
        type: axiomhq-axiom-datasource
        jsonData:
          apiHost: "http://127.0.0.1:4600"
          edgeURL: "http://127.0.0.1:4600"
        secureJsonData: { accessToken: "xaat-…" }

## Fields

In Elasticsearch's bulk requests, the event time is \`@timestamp\`. An \`_id\` is stored as a field but does not identify the event: an event
that is sent twice is stored twice. At \`/_bulk\`, the dataset is the index without a date at its end: \`logs\` for \`logs-2026.01.31\`; below
\`/v1/ingest/<dataset>/elastic\`, the index is ignored.

In Splunk's envelopes, the members of \`fields\` become fields, as do \`host\`, \`source\`, \`sourcetype\`, \`index\` and the members of an
\`event\` that is an object. Any other \`event\`, or a line sent to \`/services/collector/raw\`, becomes the field \`_raw\`. When a name is
already in use with another value, the member is stored as \`fields.<name>\` or \`event.<name>\`. The dataset is the index; without an index,
it is the only dataset that the token allows, or \`--default-dataset\`.

In push requests of Loki, labels and structured metadata become fields. A line becomes \`message\`, or, if it is a JSON object, its members
become fields. When a label has the same name and another value, the member gets the suffix \`_extracted\`, as in Loki. The dataset is
determined by the header \`X-Axiom-Dataset\`, the query parameter \`dataset\`, the tenant (\`X-Scope-OrgID\`) or \`--default-dataset\`, in this
order. For the fields of other protocols, see \`evq help service\`.
`)
