package otelretrygrpc_test

import (
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrygrpc"
)

func ExampleNew() {
	inventory, err := otelretry.New("inventory", otelretry.WithMaxAttempts(4))
	if err != nil {
		panic(err)
	}
	retries, err := otelretrygrpc.New(inventory,
		otelretrygrpc.WithIdempotentMethods("/inventory.v1.Items/Get"))
	if err != nil {
		panic(err)
	}
	conn, err := grpc.NewClient("dns:///inventory.example:443",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithChainUnaryInterceptor(retries.Unary()),
		grpc.WithChainStreamInterceptor(retries.Stream()))
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	fmt.Println(conn.Target())
	// Output: dns:///inventory.example:443
}

func ExampleInterceptor_Unary() {
	payments, err := otelretry.New("payments")
	if err != nil {
		panic(err)
	}
	retries, err := otelretrygrpc.New(payments, otelretrygrpc.WithIdempotencyKeys("")) // the server honours the key
	if err != nil {
		panic(err)
	}
	option := grpc.WithChainUnaryInterceptor(retries.Unary())
	fmt.Println(option != nil)
	// Output: true
}

func ExampleInterceptor_Stream() {
	events, err := otelretry.New("events")
	if err != nil {
		panic(err)
	}
	retries, err := otelretrygrpc.New(events, otelretrygrpc.WithIdempotentMethods("/events.v1.Events/"))
	if err != nil {
		panic(err)
	}
	option := grpc.WithChainStreamInterceptor(retries.Stream())
	fmt.Println(option != nil)
	// Output: true
}

func ExampleWithServiceConfigRetriesOff() {
	inventory, err := otelretry.New("inventory")
	if err != nil {
		panic(err)
	}
	retries, err := otelretrygrpc.New(inventory, otelretrygrpc.WithServiceConfigRetriesOff())
	if err != nil {
		panic(err)
	}
	options := []grpc.DialOption{grpc.WithDisableRetry(), grpc.WithChainUnaryInterceptor(retries.Unary())}
	fmt.Println(len(options))
	// Output: 2
}
