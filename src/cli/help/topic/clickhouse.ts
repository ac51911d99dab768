import { blocksOf } from '../block.js'

export const CLICKHOUSE = blocksOf(`
\`evq serve\` keeps its data in the data directory, with ClickHouse embedded in its process. That is enough for one machine:
hundreds of millions of events, and as many clients as its processors serve. Move to a ClickHouse server or cluster when the events
no longer fit on the disk, when queries need more processors, or when the service must survive the loss of its machine.

    evq serve --clickhouse http://db1:8123
    evq serve --clickhouse https://db1:8443 --cluster main \\
      --clickhouse-config /etc/evq/clickhouse.toml

The interface stays the same: no client changes. The data directory then holds only request bodies that are not stored yet
(\`spool/\`), the lock, the socket and the id of the service. Each \`evq serve\` needs a data directory of its own.

## Configuration

The configuration file is TOML. It must have mode 600 when it holds a password; secrets are never given on the command line.
\`EVQ_CLICKHOUSE_USER\` and \`EVQ_CLICKHOUSE_PASSWORD\` take precedence over the file.

    user = "evq"
    password = "…"
    ca_file = "ca.pem"        # relative to this file
    cert_file = "client.pem"  # a certificate of evq serve,
    key_file = "client.key"   # and its key of mode 600
    nodes = ["https://db1:8443", "https://db2:8443"]
    write_copies = 2          # see "Replicas"

A client certificate is used instead of a password or in addition to it. Its key has no passphrase.

\`nodes\` lists all servers of the cluster, in the order of \`remote_servers\`; the default is the hosts of \`system.clusters\` at the port of \`--clickhouse\`.

The user needs the databases \`datasets\`, \`datasets_shard\` (only with \`--cluster\`) and \`evq\`: \`CREATE\`, \`ALTER\`, \`DROP\`, \`SELECT\` and
\`INSERT\` on them, and \`SELECT\` on \`system.columns\`, \`system.tables\`, \`system.parts\`, \`system.detached_parts\`, \`system.clusters\` and
\`system.processes\`; in a cluster also on \`system.events\`, \`system.macros\`, \`system.mutations\`, \`system.replicas\`, \`system.replication_queue\` and \`system.zookeeper\`, and \`SYSTEM SYNC REPLICA\`. evq is tested with ClickHouse 26.7.

## Clusters

- Each batch is stored in one shard, and queries read all shards through \`Distributed\` tables. A shard is one server, or several
replicas: see below.
- While a shard is unavailable, queries fail with 503. With \`--allow-partial\` they run without its events, and the result says so
(\`isPartial\`, exit code 3). A shard that hangs is abandoned after the query timeout. Events that could not be stored are rejected with
503 and \`Retry-After\`.
- Several \`evq serve\` may run in front of one server or cluster, behind any load balancer. They share tokens, saved queries and batch
ids; a batch that is sent to two of them at once is stored once. A token created by another service works at once; a token
revoked by another service may work for another second. Create their tokens with the same flags, as in
\`evq token create … --clickhouse http://db1:8123\`.

A server that can't load a part of a table when it starts, because its files are damaged, moves it aside. On a single server its events are
then missing: results say so, \`/readyz\` fails, and \`evq dataset show\` names the part, until \`evq dataset accept-loss\` accepts the loss. The
files stay on the server, among the detached parts of the table. Replicas restore such a part from each other; one that none of them
has is reported in the same way, by its number, because ClickHouse keeps only the number of parts that a table has lost.

On a single server, the folder of a part that is deleted while it is stopped goes unnoticed: ClickHouse has no list of the parts
that it should find, its log of parts (\`system.part_log\`) is optional and written late, and the numbers of parts have gaps by nature.

## Replicas

The tables of a cluster are \`ReplicatedMergeTree\`, also where each shard is one server. This needs ClickHouse Keeper or ZooKeeper, and
on each server the macros \`shard\`, equal in all replicas of a shard, and \`replica\`, different on each server. In
\`remote_servers\`, \`internal_replication\` must be \`true\` when shards have replicas. \`ON CLUSTER\` is not used. Set \`keeper_map_path_prefix\` when several
\`evq serve\` run in front of the cluster, so that they coordinate through Keeper. Batches are stored once even without it.

- A response to ingest means that two replicas have the events. While a shard has only one live replica, its events are stored there
alone, and are lost if that server loses its disk before another one copies them. With \`write_copies = 2\` such batches are rejected
with 503 instead; with \`write_copies = 1\` a response never waits for a second copy.
- A batch with an id goes to the shard that its id selects, with a token for ClickHouse's deduplication: it is stored once, whichever
services and replicas receive it, and however often.
- When shards are added, a batch of the last two days that is sent again is looked up in the shard that its id selected before. A running
\`evq serve\` that does not know a new shard responds with 503: restart it. List new shards after the old ones in \`remote_servers\`.
- Events, queries, tokens, new datasets and the deletion of events need one live replica of each shard. Deleting or renaming a dataset needs
all servers: while a server is unavailable, it fails with 503 and changes nothing. A server that is lost during it makes the same
change when it is back.
- Queries are sent to any server that responds, and find all events that any service has acknowledged. Where shards have more replicas than
confirmed copies, and where they have two without \`write_copies = 2\`, the replicas that a query reads are first compared with Keeper. A
replica for which that takes longer than a second is replaced by another one. On test servers the comparison took 4 ms.
- A query fails with 503 when no replica of a shard has caught up within 5 seconds; with \`--allow-partial\` it reads what is available, and
the result says so. While Keeper is unavailable, replicas are compared with each other, and those that lack no event of the others are
read. That fails in this way when as many replicas of a shard are unavailable as events have copies: two, or \`write_copies\`.
- A revoked token works for at most another second, even if a server lags or has lost its connection to Keeper, because another server is
asked. While no server has a connection, tokens can be neither created nor revoked, and a token that was revoked just before may work
until Keeper is back.
- A server that was unavailable is used again once it has the tables that were created in the meantime. The same applies to an empty server
that was added, or whose disk was replaced. After a replacement, the log names the command \`SYSTEM DROP REPLICA …\` that must be run first.
- \`/metrics\` has, for each server, \`evq_clickhouse_server_up\` (it responds), \`evq_clickhouse_server_used\` (it is in use) and
\`evq_clickhouse_server_lag_seconds\`, with the labels \`server\` and \`shard\`, and \`evq_single_copy_inserts_total\`, the number of inserts
with a single copy. \`/readyz\` lists the shards with servers that are not used or lag more than 5 seconds as \`degradedShards\`, and
returns 503 while a shard has no server in use. The log has a line when a server is lost, returns, lags or has caught up, and when single copies begin and end.
- The tables of a single server are not converted: start on new servers, and move the data.
- \`evq help cluster\` has the commands for adding and removing replicas and shards, for backups, and for restoring them.

## Managed ClickHouse

A managed service has one address for several servers whose tables are the same: \`SharedMergeTree\`, or replicated tables that the
service creates by itself. It is detected, and used with \`--clickhouse\` alone, without \`--cluster\`.

- A batch with an id is stored once, whichever servers and services receive it. Versions before 26.4 are refused.
- With \`SharedMergeTree\`, queries find all events that any service has stored before. With replicated tables behind one address they may miss the
last second when a server lags: where the servers can be reached one by one, use \`--cluster\`.
- An address that leads to several servers with tables of their own is refused.
- Tested with replicated tables behind one address. Not tested with a managed service itself: \`SharedMergeTree\`, the limits that a service
puts on settings such as \`fsync_after_insert\`, and the end of statements that run on another server.

## Moving the data

- Start the service on ClickHouse next to the old one, with its own data directory:

    evq serve --clickhouse http://db1:8123 \\
      --data-dir ./front --listen 127.0.0.1:4601

- Point the senders of events at the new service.
- Send the original files again where they still exist: that keeps each event as it was. Otherwise copy each dataset by pages. Every
field keeps its value and \`_time\` its nanoseconds; objects become fields with dotted names, \`1.0\` becomes \`1\`, and \`_sysTime\` is
the time of the copy.

    evq page "['logs'] | project-away _sysTime" \\
      --since 2020-01-01 --by cursor --direction asc \\
      -o ndjson |
    EVQ_URL=http://127.0.0.1:4601 EVQ_TOKEN=xapt-… \\
      evq ingest logs -

- Compare the services before you remove the old one: \`evq query "['logs'] | count"\` on both, with the same \`--until\`.

Saved queries and tokens are not copied: create them again.
`)
