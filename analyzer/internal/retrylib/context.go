package retrylib

// giveContext says, for each library whose wait ignores contexts unless it is
// told, how to tell it.
var giveContext = map[string]string{
	"github.com/avast/retry-go":                                    "pass retry.Context",
	"github.com/avast/retry-go/v3":                                 "pass retry.Context",
	"github.com/avast/retry-go/v4":                                 "pass retry.Context",
	"github.com/avast/retry-go/v5":                                 "pass retry.Context to retry.New",
	"github.com/cenkalti/backoff":                                  "wrap the backoff in backoff.WithContext",
	"github.com/cenkalti/backoff/v3":                               "wrap the backoff in backoff.WithContext",
	"github.com/cenkalti/backoff/v4":                               "wrap the backoff in backoff.WithContext",
	"github.com/codeGROOVE-dev/retry":                              "pass retry.Context",
	"github.com/duke-git/lancet/v2/retry":                          "pass retry.Context",
	"github.com/eapache/go-resiliency/retrier":                     "call RunCtx",
	"github.com/failsafe-go/failsafe-go":                           "call WithContext on the executor",
	"github.com/flowchartsman/retry":                               "call RunContext",
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/resource": "call RetryContext",
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/retry":    "call RetryContext",
	"github.com/juju/retry":                                        "set CallArgs.Stop to the context's Done channel",
	"github.com/zeromicro/go-zero/core/fx":                         "call DoWithRetryCtx",
	"k8s.io/apimachinery/pkg/util/wait":                            "call the variant that takes a context",
}

// GiveContext is how a call of the entry's library is made to watch a context
// while it waits, "" if there is no way.
func (e *Entry) GiveContext() string { return giveContext[e.Path] }
