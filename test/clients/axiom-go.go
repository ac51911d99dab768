// Calls of the Go SDK against the service at EVQ_URL; prints their results as JSON by name.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/axiomhq/axiom-go/axiom"
	"github.com/axiomhq/axiom-go/axiom/ingest"
	"github.com/axiomhq/axiom-go/axiom/query"
	"github.com/axiomhq/axiom-go/axiom/querylegacy"
)

var results = map[string]any{}

func call(name string, run func() (any, error)) {
	value, err := run()
	if err != nil {
		value = "error: " + err.Error()
	}
	results[name] = value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func client(token string) *axiom.Client {
	made, err := axiom.NewClient(axiom.SetNoEnv(), axiom.SetURL(os.Getenv("EVQ_URL")), axiom.SetToken(token))
	check(err)
	return made
}

func counts(status *ingest.Status, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return []uint64{status.Ingested, status.Failed}, nil
}

func columns(result *query.Result, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	named := map[string]any{}
	for i, field := range result.Tables[0].Fields {
		named[field.Name] = result.Tables[0].Columns[i]
	}
	return named, nil
}

func main() {
	ctx := context.Background()
	personal := client(os.Getenv("EVQ_PERSONAL_TOKEN"))
	api := client(os.Getenv("EVQ_API_TOKEN"))

	call("credentials", func() (any, error) { return nil, personal.ValidateCredentials(ctx) })
	call("credentials of an unknown token", func() (any, error) {
		err := client("xapt-none").ValidateCredentials(ctx)
		var failed axiom.HTTPError
		if errors.As(err, &failed) {
			return failed.Status, nil
		}
		return nil, err
	})

	events := []axiom.Event{
		{"_time": "2026-01-01T10:00:00Z", "n": 1},
		{"_time": "2026-01-01T10:05:00Z", "n": 2},
	}
	call("ingest events", func() (any, error) { return counts(api.IngestEvents(ctx, "go", events)) })
	call("ingest CSV", func() (any, error) {
		body := strings.NewReader("1;2026-01-01 10:00:00\n2;2026-01-01 10:05:00\n")
		return counts(personal.Ingest(ctx, "go-csv", body, axiom.CSV, axiom.Identity,
			ingest.AddCSVField("n", "at"),
			ingest.SetCSVDelimiter(";"),
			ingest.SetTimestampField("at"),
			ingest.SetTimestampFormat("2006-01-02 15:04:05"),
			ingest.SetEventLabel("host", "h1"),
		))
	})
	for name, encode := range map[string]axiom.ContentEncoding{"gzip": axiom.Gzip, "zstd": axiom.Zstd} {
		call("ingest "+name, func() (any, error) {
			encoder := axiom.GzipEncoder()
			if encode == axiom.Zstd {
				encoder = axiom.ZstdEncoder()
			}
			body, err := encoder(strings.NewReader(`[{"n":1},{"n":2}]`))
			check(err)
			return counts(personal.Ingest(ctx, "go-"+name, body, axiom.JSON, encode))
		})
	}
	call("ingest a channel", func() (any, error) {
		channel := make(chan axiom.Event)
		go func() {
			for _, event := range events {
				channel <- event
			}
			close(channel)
		}()
		return counts(api.IngestChannel(ctx, "go-channel", channel))
	})

	call("query", func() (any, error) { return columns(api.Query(ctx, "go | project n | sort by n asc")) })
	call("query a range", func() (any, error) {
		start := time.Date(2026, 1, 1, 10, 1, 0, 0, time.UTC)
		return columns(api.Query(ctx, "go | project n", query.SetStartTime(start), query.SetEndTime(start.Add(time.Hour))))
	})
	call("variable", func() (any, error) {
		return columns(api.Query(ctx, "go | where n == wanted | project n", query.SetVariable("wanted", 2)))
	})
	call("pages", func() (any, error) {
		apl := "go | sort by _time asc | project _time, n | limit 1"
		first, err := api.Query(ctx, apl)
		check(err)
		second, err := api.Query(ctx, apl, query.SetCursor(first.Status.MaxCursor, false))
		check(err)
		again, err := api.Query(ctx, apl, query.SetCursor(first.Status.MaxCursor, true))
		check(err)
		numbers := []any{}
		for _, page := range []*query.Result{first, second, again} {
			numbers = append(numbers, page.Tables[0].Columns[1])
		}
		return numbers, nil
	})
	call("binned", func() (any, error) {
		result, err := api.Query(ctx, "go | summarize n = count() by bin(_time, 5m) | sort by _time asc")
		check(err)
		tables := []any{}
		for _, table := range result.Tables {
			tables = append(tables, []any{table.Name, table.Columns})
		}
		return tables, nil
	})
	call("aggregations", func() (any, error) {
		calls := []string{
			"dcount(n)", "dcountif(n, n > 0)", "percentile(n, 95)", "percentileif(n, 95, n > 0)",
			"percentiles_array(n, 50, 95)", "percentiles_arrayif(n, dynamic([50]), n > 0)", "arg_min(n)", "arg_max(n)",
			"make_set(n)", "make_set_if(n, n > 0)", "make_list(n)", "make_list_if(n, n > 0)", "topk(n, 1)", "stdev(n)",
			"phrases(tostring(n))", "spotlight(n > 1, n)",
		}
		names := []string{}
		for _, aggregation := range calls {
			result, err := api.Query(ctx, "go | summarize value = "+aggregation)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", aggregation, err)
			}
			names = append(names, result.Tables[0].Fields[0].Aggregation.Op.String())
		}
		return names, nil
	})
	call("timespan", func() (any, error) {
		return columns(api.Query(ctx, "print since = datetime(2026-01-02) - datetime(2026-01-01T12:30:00Z)"))
	})
	call("trace id", func() (any, error) {
		result, err := api.Query(ctx, "go")
		return err == nil && result.TraceID != "", err
	})
	call("problem", func() (any, error) { return api.Query(ctx, "go | where nn == 1") })
	call("legacy query", func() (any, error) {
		found, err := api.Datasets.QueryLegacy(ctx, "go", querylegacy.Query{
			StartTime:    time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			EndTime:      time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC),
			Aggregations: []querylegacy.Aggregation{{Op: querylegacy.OpSum, Field: "n", Alias: "total"}},
		}, querylegacy.Options{StreamingDuration: 5 * time.Second})
		if err != nil {
			return nil, err
		}
		return found.Buckets.Totals[0].Aggregations[0].Value, nil
	})

	call("create a dataset", func() (any, error) {
		made, err := personal.Datasets.Create(ctx, axiom.DatasetCreateRequest{Name: "go-made", Description: "by the SDK"})
		if err != nil {
			return nil, err
		}
		return made.Name, nil
	})
	call("exists", func() (any, error) {
		_, err := personal.Datasets.Create(ctx, axiom.DatasetCreateRequest{Name: "go-made"})
		return errors.Is(err, axiom.ErrExists), nil
	})
	call("get a dataset", func() (any, error) {
		found, err := personal.Datasets.Get(ctx, "go-made")
		if err != nil {
			return nil, err
		}
		return found.Description, nil
	})
	call("update a dataset", func() (any, error) {
		found, err := personal.Datasets.Update(ctx, "go-made", axiom.DatasetUpdateRequest{Description: "changed"})
		if err != nil {
			return nil, err
		}
		return found.Description, nil
	})
	call("list datasets", func() (any, error) {
		found, err := api.Datasets.List(ctx)
		names := []string{}
		for _, dataset := range found {
			names = append(names, dataset.Name)
		}
		return names, err
	})
	call("trim a dataset", func() (any, error) { return nil, personal.Datasets.Trim(ctx, "go-gzip", time.Hour) })
	call("delete a dataset", func() (any, error) { return nil, personal.Datasets.Delete(ctx, "go-made") })
	call("not found", func() (any, error) {
		_, err := personal.Datasets.Get(ctx, "go-made")
		return errors.Is(err, axiom.ErrNotFound), nil
	})

	check(json.NewEncoder(os.Stdout).Encode(results))
}
