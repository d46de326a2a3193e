module github.com/retrykit/retrykit/examples

go 1.26.0

replace github.com/retrykit/retrykit => ../

require (
	github.com/stretchr/testify v1.12.1
	go.uber.org/goleak v1.3.0
	google.golang.org/grpc v1.85.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
