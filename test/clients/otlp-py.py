# Sends logs and a span with OpenTelemetry's exporters to the service at EVQ_URL; prints their results as JSON by name.
import json
import logging
import os

from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode

URL = os.environ["EVQ_URL"]


def options(path, dataset):
    headers = {
        "Authorization": f"Bearer {os.environ['EVQ_API_TOKEN']}",
        "X-Axiom-Dataset": dataset,
    }
    return {"endpoint": URL + path, "headers": headers}


resource = Resource.create({"service.name": "py", "team": "payments"})

tracers = TracerProvider(resource=resource)
tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(**options("/v1/traces", "py-spans"))))
span = tracers.get_tracer("driver").start_span(
    "load", kind=SpanKind.CLIENT, start_time=1767268800000000001, attributes={"db.system": "mysql", "n": 2**62}
)
span.add_event("retry", {"count": 3}, timestamp=1767268800000000002)
span.set_status(Status(StatusCode.ERROR, "gone"))
span.end(end_time=1767268800500000001)
tracers.shutdown()

loggers = LoggerProvider(resource=resource)
exporter = OTLPLogExporter(compression=Compression.Gzip, **options("/v1/logs", "py-logs"))
loggers.add_log_record_processor(BatchLogRecordProcessor(exporter))
log = logging.getLogger("driver")
log.addHandler(LoggingHandler(logger_provider=loggers))
log.warning("disk %s", "full", extra={"free": 0.5, "parts": ["a", "b"]})
loggers.shutdown()

print(json.dumps({"trace_id": format(span.get_span_context().trace_id, "032x")}))
