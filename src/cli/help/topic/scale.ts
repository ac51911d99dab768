import { blocksOf } from '../block.js'

export const SCALE = blocksOf(`
How large a deployment has to be for 10^9, 10^10 and 10^12 events a day, computed from measurements on two cores. No deployment larger than two
shards of two replicas was run: measure with your own events before buying machines.

## Measured

    per million events of 312 bytes and 14 fields,
    in batches of 10,000
    a  everything in one process, 2.3 s             4 CPU s
    b  evq serve in front of ClickHouse             7 CPU s
    c  the replica that stores                     12 CPU s
    d  the other replica: copies, first merges      4 CPU s
    e  merging them once more, on each replica      2 CPU s
    f  on the disk, with indexes, one copy         38.5 MB
    g  sent from evq serve, not compressed        314 MB
    h  sent to the other replica                   43 MB
    per insert with two copies
    i  Keeper requests; of them writes             44; 8.5
    per evq serve and second, while it stores named batches,
    on two servers
    j  Keeper requests; of them writes             77; 13
    per million events read
    k  count by a field of few values              14 CPU ms
    l  all string fields, without an index        200 CPU ms

a :: \`npm run bench duckdb\` (\`cat f | evq ingest\`: 2.2–2.4 s, 3.7–4.2 CPU s), on an idle machine
b, c, d, g, h :: 300,000 of the same events into a shard with two replicas, on a busy machine, twice: 6.3–6.6, 10.6–11.6 and 3.1–3.8 CPU s. e: \`OPTIMIZE TABLE … FINAL\` after it, 1.9 CPU s on each replica
f :: as a, after merges: 0.66 of the input compressed with \`zstd -3\`; 38.4 in the replicas
i, j :: at the ZooKeeper of \`test/support/replicas\`: 40 inserts with \`insert_quorum = 2\`. The 30 batches took 8.5 s, and 66 requests and 12.3 writes each: j is what exceeds i, for outcomes and leases
k, l :: the engine alone, 7 and 100 ms on two threads; with an index, a rare word takes 15 instead of 83 ms (\`npm run bench search\`)

## Assumed

- The peak is three times the average. Events are kept for 30 days; disks are filled to 70 %. Servers are at most 40 % busy with storing at the peak: queries get the rest.
- Each event is merged 5 times after c and d: parts grow tenfold at each merge, from 0.385 MB (10,000 × 38.5 bytes) to ClickHouse's 150 GB, which is 10^5.6. So the storing replica takes 12 + 5 × 2 = 22 CPU s per million events, the other one 4 + 5 × 2 = 14.
- One \`evq serve\` takes 70,000 events/s: half of a core's 1,000,000 / 7. One more than needed runs, because one may fail.
- Batches have 10,000 events, as from \`evq ingest\`. Requests without an id are gathered into inserts of up to 32 MiB and cost less.
- j grows with the number of servers: all have these tables.

## Computed

    events a day                   10^9     10^10  5 × 10^10
    events/s, average            11,574   115,741    578,704
    events/s, peak               34,722   347,222  1,736,111
    MB/s received, peak              11       108        542
    evq serve                         2         6         26
    shards × replicas             1 × 2     2 × 2      3 × 2
    cores, storing replica, peak    0.8       3.8       12.7
    cores, other replica, peak      0.5       2.4        8.1
    inserts/s, peak                 3.5        35        174
    Keeper requests/s, peak         307     2,452     13,645
    Keeper writes/s, peak            56       451      2,490
    MB/s between replicas, peak     1.5        15         75
    GB a day, one copy               39       385      1,925
    TB in 30 days, each server      1.2       5.8       19.3
    a server's disk in TB           1.7       8.3       27.5
    count over a day, CPU s          14       140        700

Shards follow from the disk and the cores: servers of 4, 16 and 32 cores. Keeper requests are i × inserts/s + j × services × servers / 2.

10^12 events a day are 20 deployments of the last column, each with datasets, services and a Keeper of its own: 120 servers of 32 cores,
520 services, 60 Keepers (3 each), 10.8 GB/s received at the peak, 2.3 PB in two copies. A query reads one of them.

## 10^9 a day

- One machine suffices without a cluster: (4 + 10) × 34,722 / 10^6 = 0.5 cores, and 1.2 TB. Replicas are for its loss, not for speed.
- First fails: the disk, when no \`--retention\` is set. Then queries over a month: 30 × 14 CPU s need 7 cores for a result within 60 s.
- Answered by: columns instead of text (f), retention, and events sorted by time: a query reads its time range only.

## 10^10 a day

- First fails: one \`evq serve\`, at 143,000 events/s. Any number of them share a cluster; batch ids keep their work apart.
- Then a query over a month: 30 × 140 CPU s, against 1,920 = 2 shards × 16 cores × 60 s, since one replica of each shard computes it. Add shards, or store totals in a dataset of their own.
- Then retention: it rewrites the parts at its limit, an estimated two of 150 GB a day for each shard and dataset; 193 GB are stored.
- Answered by: a shard per batch, selected by its id; group commit, by which many small requests become few inserts; token indexes.
- Costs: the disks, 2 × 385 GB a day; of 43 CPU s per million events, merges take 20.

## 10^12 a day

- First fails in a single cluster: Keeper. 496 services and 100 servers make 77 × 496 × 50 = 1.9 million requests/s for batch outcomes and leases alone, because all servers have these tables. Hence 20 deployments. What would have to change: outcomes kept in the shard of the batch, and a Keeper for each group of shards.
- Then ClickHouse's memory of tokens, 10,000 for each shard and dataset: above 250 inserts/s they are forgotten within the 40 s for which evq repeats an insert. In a deployment above it is 174 / 3 = 58. What would have to change: named batches of more than 10,000 events, or several in one insert.
- Then the services: 243 cores at the peak, which send 10.8 GB/s of text to the servers. What would have to change: less work per event in both, which together take 7 + 12 CPU s where one process takes 4 (a). Sending columns instead of text was tried, and saved no CPU time.
- Then queries: a count over a day is 14,000 CPU s, of which each deployment has 1/20, 700 CPU s on 3 × 32 cores: 7 s. Over all string fields without an index it is 10,000 CPU s, 104 s: more than the query timeout of 60 s.
- Costs: 2.3 PB of disk; 43 CPU s × 11.6 per second = 500 cores on average; 1.5 GB/s between replicas at the peak, often between zones.

A dataset is one table: what limits a deployment limits its largest dataset. Split that by name, and read it with \`union\`.
`)
