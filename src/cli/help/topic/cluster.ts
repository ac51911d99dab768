import { blocksOf } from '../block.js'

export const CLUSTER = blocksOf(`
Operations on a ClickHouse cluster with replicas: \`evq help clickhouse\` covers its configuration, \`evq help scale\` how many servers it
needs. Each command below is run by evq's tests, against servers of ClickHouse 26.7 with \`ReplicatedMergeTree\` tables. Here \`s2r1\` is
the macro \`replica\` of the first server of shard 2, and \`logs\` a dataset. A statement for which no server is named can be run on any server.

evq has three databases: \`datasets_shard\` has the events of a shard, \`datasets\` the tables over all shards, and \`evq\` saved queries,
tokens, and the outcomes of batches.

## State

    SELECT database, table, is_readonly, absolute_delay,
      queue_size, active_replicas, total_replicas
      FROM system.replicas
    SELECT table, count() AS parts, sum(rows) AS events,
      sum(bytes_on_disk) AS bytes FROM system.parts
      WHERE active AND database = 'datasets_shard'
      GROUP BY table

A server is up to date when its \`queue_size\` and \`absolute_delay\` are 0. \`is_readonly\` is 1 while it has no connection to Keeper,
which may last a minute after a restart. When it remains 1, Keeper has lost this replica of the table:
\`SYSTEM RESTORE REPLICA datasets_shard.logs\` on the server adds it again, with the data that the server has.

## Add a replica

- Configure the new server: the same \`remote_servers\` and Keeper, the macro \`shard\` of its shard, and a new \`replica\`.
- Add it to \`remote_servers\` on all servers and to \`nodes\`, and restart each \`evq serve\`: the first one creates the tables on it.
- ClickHouse copies the data from the other replicas. On the new server, this statement waits until all events of a dataset are copied:

    SYSTEM SYNC REPLICA datasets_shard.logs

Replace a server whose disk is lost in the same way. When it has the name of the lost server, the log of \`evq serve\` first asks for
\`SYSTEM DROP REPLICA\`.

## Remove a replica

- Remove the server from \`remote_servers\` on all others and from \`nodes\`, and restart each \`evq serve\`. The server keeps running.
- On each server of its shard that remains, for every dataset, and for the tables \`batch\`, \`document\` and \`path\` of \`evq\` on one of them:

    SYSTEM SYNC REPLICA datasets_shard.logs

- Stop the server. Once its session in Keeper has expired, remove its name on another server of the shard. Until then the error is
305, \`TABLE_WAS_NOT_DROPPED\`.

    SYSTEM DROP REPLICA 's1r3'

A shard whose only replica remains stores each batch there alone, also with \`write_copies = 2\`.

## Add a shard

- Stop each \`evq serve\`: while two configurations are in use, the same batch could be stored in two shards.
- Configure the new servers with a macro \`shard\` of their own, append the shard as the last one to \`remote_servers\` on all servers, add
the servers to \`nodes\`, and start each \`evq serve\`.
- Existing events stay where they are; new events are distributed over all shards. A batch that was stored before and is sent again is
recognized.

## Remove a shard

Its events are added to another shard while no service runs.

- Stop each \`evq serve\`.
- On a server of the shard to be removed, here shard 2:

    BACKUP DATABASE datasets_shard TO File('shard-2')

- On a server of the shard that gets its events, which must be able to read the same directory:

    RESTORE DATABASE datasets_shard FROM File('shard-2')
      SETTINGS allow_non_empty_tables = true

- Remove the shard from \`remote_servers\` and \`nodes\`, start \`evq serve\`, and compare the number of events of each dataset. Run the
\`RESTORE\` once only: it adds the events each time.
- Stop its servers, and remove their names on a server that remains, for the tables of \`evq\`:

    SYSTEM DROP REPLICA 's2r1'
    SYSTEM DROP REPLICA 's2r2'

## Back up

The configuration of the servers needs \`backups.allowed_path\`, a directory that is not on the same disk. Run this on one server of each
shard, with a different name for each shard; services keep running:

    BACKUP DATABASE datasets, DATABASE datasets_shard,
      DATABASE evq EXCEPT TABLES evq.keeper_lease
      TO File('monday-1')

An insert creates a single part, so a batch is in a backup either completely or not at all. The backups of the shards are of different moments. An incremental
backup has only the parts that the earlier backup lacks; merges create new parts:

    BACKUP DATABASE datasets, DATABASE datasets_shard,
      DATABASE evq EXCEPT TABLES evq.keeper_lease
      TO File('tuesday-1')
      SETTINGS base_backup = File('monday-1')

## Restore

Stop each \`evq serve\` first. A dataset that was deleted, on one server of each shard, from the backup of that shard:

    RESTORE TABLE datasets_shard.logs, TABLE datasets.logs
      FROM File('monday-1')

and, on one server of the cluster only, its fields:

    RESTORE TABLE evq.path FROM File('monday-1')
      SETTINGS allow_non_empty_tables = true

Everything, into empty servers with the same number of shards and an empty Keeper: on one server of each shard, from the backup of that
shard,

    RESTORE DATABASE datasets_shard, DATABASE datasets
      FROM File('monday-1')

and, on one server of the cluster only,

    RESTORE DATABASE evq FROM File('monday-1')

Then start \`evq serve\`: it creates the tables on the other replicas, which copy the data. Senders may resend the batches since the
backup under the same ids: batches that the backup contains are recognized.

Without \`BACKUP\`, \`evq page\` exports a dataset and \`evq ingest\` stores it in another service: see "Moving the data" in
\`evq help clickhouse\`.

## Not tested

- A managed ClickHouse: use the backups of its provider.
- \`BACKUP\` to \`S3\`, \`ON CLUSTER\`, and \`ALTER TABLE … FETCH PARTITION\`: evq's test servers lack them.
- TLS and passwords between servers, ClickHouse Keeper itself (the tests use their own ZooKeeper; by hand Apache ZooKeeper 3.8.4 was
used), disks of a storage policy, other versions than 26.7, and large backups: the tests restore some hundred events.
`)
