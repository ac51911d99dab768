import { blocksOf } from '../block.js'

/** `evq help shippers`. */
export const SHIPPERS = blocksOf(`
Programs that collect logs send them to \`evq serve\` as they are. Each configuration below stores events in the dataset \`logs\` of the
service at \`http://127.0.0.1:4600\`, with a token for that dataset alone:

    evq serve
    evq token create shipper --ingest logs

All but syslog get a response once the events are stored, and send again what was not.

## OpenTelemetry Collector

    exporters:
      otlphttp:
        endpoint: http://127.0.0.1:4600
        headers: { authorization: Bearer xaat-…, x-axiom-dataset: logs }
    service: { pipelines: { logs: { receivers: [otlp], exporters: [otlphttp] } } }

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
      hosts: ["http://127.0.0.1:4600/v1/ingest/logs/elastic"]
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

## rsyslog

    evq serve --syslog 127.0.0.1:5514 --syslog-dataset logs

    *.* action(type="omfwd" target="127.0.0.1" port="5514" protocol="tcp"
      TCP_Framing="octet-counted" template="RSYSLOG_SyslogProtocol23Format"
      queue.type="linkedList" action.resumeRetryCount="-1")

## syslog-ng

    destination d_evq {
      http(url("http://127.0.0.1:4600/v1/ingest/logs") method("POST")
        headers("Authorization: Bearer xaat-…", "Content-Type: application/x-ndjson")
        body("$(format-json --scope rfc5424 _time=$ISODATE)") batch-lines(1000)); };
    log { source(s_src); destination(d_evq); };

## Promtail

    clients:
      - url: http://127.0.0.1:4600/loki/api/v1/push
        tenant_id: logs
        bearer_token: xaat-…

## Grafana Alloy

    loki.write "evq" {
      endpoint {
        url          = "http://127.0.0.1:4600/loki/api/v1/push"
        tenant_id    = "logs"
        bearer_token = "xaat-…"
      }
    }

## Docker

Containers that exist already need no configuration:

    docker logs -f my-container 2>&1 | evq ingest logs -

With Docker's Splunk driver, new containers send by themselves; lines that are JSON become fields:

    docker run --log-driver splunk --log-opt splunk-url=http://127.0.0.1:4600 \\
      --log-opt splunk-token=xaat-… --log-opt splunk-index=logs \\
      --log-opt splunk-format=json my-image

## Heroku

    heroku drains:add https://evq:xaat-…@evq.example.com/v1/ingest/logs

## Amazon Data Firehose

With the destination \`HTTP endpoint\`, also for logs of CloudWatch:

    HTTP endpoint URL: https://evq.example.com/v1/ingest/logs/firehose
    Access key: xaat-…

## Grafana

The plugin of the hosted service, with a token for queries (\`evq token create grafana --query logs\`):

    apiVersion: 1
    datasources:
      - name: evq
        type: axiomhq-axiom-datasource
        jsonData: { apiHost: "http://127.0.0.1:4600", edgeURL: "http://127.0.0.1:4600" }
        secureJsonData: { accessToken: "xaat-…" }

## Fields

In Elasticsearch's bulk requests, the event time is \`@timestamp\`, and an \`_id\` is a field: an event that is sent twice is stored twice.
Below \`/v1/ingest/<dataset>/elastic\`, indices have no effect; at \`/_bulk\`, the dataset is the index, without a date at its end as in
\`logs-2026.01.31\`. Of Splunk's envelopes, the members of \`fields\` and of an \`event\` that is an object become fields, as do \`host\`,
\`source\`, \`sourcetype\` and \`index\`; any other \`event\`, and a line sent to \`/services/collector/raw\`, is \`_raw\`. A member of \`event\`
with a name in use and another value becomes \`event.<name>\`. The dataset is the index, or the only one that the token may ingest into.

Loki's labels and structured metadata become fields, a line becomes \`message\`, or its members when it is a JSON object. A member with the
name of a label and another value gets the suffix \`_extracted\`, as in Loki. The dataset of a push request is that of the header
\`X-Axiom-Dataset\`, of the query parameter \`dataset\`, its tenant (\`X-Scope-OrgID\`), or \`--default-dataset\`. \`evq help service\` has
those of the other protocols.
`)
