// Package otlpfile is the smallest OTLP collector that is any use: it takes
// traces and metrics over OTLP/HTTP and writes each export as one line of
// OTLP/JSON, which is what the collector's file exporter writes.
//
// A program keeps the exporters that it has in production and points them at
// it. The OpenTelemetry project has no exporter for Go that writes OTLP/JSON to
// a file by itself.
package otlpfile

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync"

	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
)

// maxBody bounds one export, unpacked, in bytes.
const maxBody = 16 << 20

// NewHandler returns a handler for POST /v1/traces and POST /v1/metrics, in
// protobuf or JSON, plain or gzip. Each export becomes one write to w of one
// whole line; writes never overlap. An export that can't be read is refused
// with 400 (413 over 16 MiB, 415 for another content type) and writes nothing.
func NewHandler(w io.Writer) http.Handler {
	r := &recorder{w: w}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", r.handle(tracesToJSON))
	mux.HandleFunc("POST /v1/metrics", r.handle(metricsToJSON))
	return mux
}

type recorder struct {
	mu sync.Mutex
	w  io.Writer
}

func (r *recorder) handle(toJSON func(body []byte, isJSON bool) ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		mediaType, _, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
		if err != nil || mediaType != "application/x-protobuf" && mediaType != "application/json" {
			http.Error(w, "OTLP/HTTP is application/x-protobuf or application/json", http.StatusUnsupportedMediaType)
			return
		}
		body, err := readBody(req)
		if errors.Is(err, errTooLarge) {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		if err != nil {
			http.Error(w, fmt.Sprintf("reading the export: %v", err), http.StatusBadRequest)
			return
		}
		line, err := toJSON(body, mediaType == "application/json")
		if err != nil {
			http.Error(w, fmt.Sprintf("decoding the export: %v", err), http.StatusBadRequest)
			return
		}
		if err := r.write(append(line, '\n')); err != nil {
			http.Error(w, fmt.Sprintf("writing the export: %v", err), http.StatusInternalServerError)
			return
		}
		// Nothing was rejected: an empty message in protobuf, an empty object in JSON.
		w.Header().Set("Content-Type", mediaType)
		if mediaType == "application/json" {
			// The exporter that hangs up here has been recorded all the same.
			_, _ = io.WriteString(w, "{}")
		}
	}
}

func (r *recorder) write(line []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := r.w.Write(line)
	return err
}

var errTooLarge = fmt.Errorf("the export is larger than %d bytes", maxBody)

func readBody(req *http.Request) ([]byte, error) {
	var body io.Reader = req.Body
	switch encoding := req.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return nil, err
		}
		defer unpacked.Close()
		body = unpacked
	default:
		return nil, fmt.Errorf("content encoding %q is not gzip", encoding)
	}
	data, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	if err == nil && len(data) > maxBody {
		err = errTooLarge
	}
	return data, err
}

func tracesToJSON(body []byte, isJSON bool) ([]byte, error) {
	export := ptraceotlp.NewExportRequest()
	unmarshal := export.UnmarshalProto
	if isJSON {
		unmarshal = export.UnmarshalJSON
	}
	if err := unmarshal(body); err != nil {
		return nil, err
	}
	return export.MarshalJSON()
}

func metricsToJSON(body []byte, isJSON bool) ([]byte, error) {
	export := pmetricotlp.NewExportRequest()
	unmarshal := export.UnmarshalProto
	if isJSON {
		unmarshal = export.UnmarshalJSON
	}
	if err := unmarshal(body); err != nil {
		return nil, err
	}
	return export.MarshalJSON()
}
