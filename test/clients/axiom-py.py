# Calls of the Python SDK against the service at EVQ_URL; prints their results as JSON by name.
import json
import logging
import os
from datetime import datetime, timedelta, timezone

from axiom_py import Client
from axiom_py.client import (
    AplOptions,
    ContentEncoding,
    ContentType,
    IngestOptions,
)
from axiom_py.logging import AxiomHandler

URL = os.environ["EVQ_URL"]
API_TOKEN = os.environ["EVQ_API_TOKEN"]
PERSONAL_TOKEN = os.environ["EVQ_PERSONAL_TOKEN"]

direct = Client(token=PERSONAL_TOKEN, org_id="evq", url=URL)
edge = Client(token=API_TOKEN, url=URL, edge_url=URL)
results = {}


def call(name, run):
    try:
        results[name] = run()
    except Exception as error:
        results[name] = f"{type(error).__name__}: {error}"


def counts(status):
    return [status.ingested, status.failed]


def columns(result):
    table = result.tables[0]
    return {field.name: column for field, column in zip(table.fields, table.columns)}


EVENTS = [{"_time": "2026-01-01T10:00:00Z", "n": 1}, {"_time": "2026-01-01T10:05:00Z", "n": 2}]

call("ingest events", lambda: counts(direct.ingest_events("py", EVENTS)))
call("ingest at the edge", lambda: counts(edge.ingest_events("py-edge", EVENTS)))
call(
    "ingest uncompressed",
    lambda: counts(
        direct.ingest("py-raw", b'[{"n":1},{"n":2}]', ContentType.JSON, ContentEncoding.IDENTITY)
    ),
)
call(
    "ingest CSV",
    lambda: counts(
        direct.ingest(
            "py-csv",
            b"at;n\n2026-01-01 10:00:00;3\n",
            ContentType.CSV,
            ContentEncoding.IDENTITY,
            IngestOptions(
                timestamp_field="at",
                timestamp_format="2006-01-02 15:04:05",
                CSV_delimiter=";",
            ),
        )
    ),
)
call(
    "rejected events",
    lambda: counts(
        direct.ingest("py-raw", b'{"n":1}\n[2]\n', ContentType.NDJSON, ContentEncoding.IDENTITY)
    ),
)


def log():
    handler = AxiomHandler(direct, "py-log")
    logger = logging.getLogger("driver")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    logger.warning("disk %s", "full")
    logger.removeHandler(handler)
    handler.flush()
    handler.timer.cancel()


call("log", log)

call("query", lambda: columns(direct.query("py | project n | sort by n asc")))
call("query at the edge", lambda: columns(edge.query("['py-edge'] | summarize sum(n)")))
call(
    "query a range",
    lambda: columns(
        direct.query(
            "py | project n",
            AplOptions(
                start_time=datetime(2026, 1, 1, 10, 1, tzinfo=timezone.utc),
                end_time=datetime(2026, 1, 2, tzinfo=timezone.utc),
            ),
        )
    ),
)


def pages():
    apl = "py | sort by _time asc | limit 1"
    first = direct.query(apl)
    second = direct.query(apl, AplOptions(cursor=first.status.maxCursor))
    again = direct.query(apl, AplOptions(cursor=first.status.maxCursor, includeCursor=True))
    return [columns(page)["n"] for page in (first, second, again)]


call("pages", pages)


def binned():
    result = direct.query("py | summarize n = count() by bin(_time, 5m) | sort by _time asc")
    return [[table.name, table.columns] for table in result.tables]


call("binned", binned)
call(
    "timespan",
    lambda: columns(direct.query("print since = datetime(2026-01-02) - datetime(2026-01-01T12:30:00Z)")),
)


def messages():
    direct.ingest_events("py-many", [{"n": n} for n in range(1001)])
    return [message.code for message in direct.query("['py-many']").status.messages]


call("messages", messages)
call("problem", lambda: direct.query("py | where nn == 1"))

call("create a dataset", lambda: [direct.datasets.create("py-made", "by the SDK").name])
call("exists", lambda: direct.datasets.create("py-made", ""))
call("get a dataset", lambda: direct.datasets.get("py-made").description)
call("update a dataset", lambda: direct.datasets.update("py-made", "changed").description)
call("list datasets", lambda: sorted(dataset.name for dataset in direct.datasets.get_list()))
call("trim a dataset", lambda: direct.datasets.trim("py-raw", timedelta(hours=1)))
call("delete a dataset", lambda: direct.datasets.delete("py-made"))
call("current user", lambda: bool(direct.users.current().role.name))
call("unknown token", lambda: Client(token="xaat-none", url=URL).query("py"))

print(json.dumps(results, default=str))
