package migration

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"

	"github.com/retrykit/retrykit/otelretry"
)

func awsWithoutRetries(cfg aws.Config) aws.Config {
	//doc: aws before
	cfg.Retryer = func() aws.Retryer { return aws.NopRetryer{} }
	//doc:end
	return cfg
}

func awsPolicy() (*otelretry.Policy, error) {
	//doc: aws after
	retryable := retry.IsErrorRetryables(retry.DefaultRetryables)
	storage, err := otelretry.New("s3", otelretry.WithClassifiers(func(err error) otelretry.Class {
		if retryable.IsErrorRetryable(err) == aws.TrueTernary {
			return otelretry.ClassTransient
		}
		return otelretry.ClassUnknown
	}))
	//doc:end
	return storage, err
}
