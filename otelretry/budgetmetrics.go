package otelretry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

type budgetID struct{ dependency, budget string }

// budgetMetrics holds the attribute sets of one budget of a dependency.
type budgetMetrics struct {
	budget  *Budget
	add     []metric.AddOption
	observe []metric.ObserveOption
}

// watch reports a budget's utilization from now on.
func (m *meter) watch(b *Budget, dependency string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	id := budgetID{dependency, b.name}
	if m.budgets[id] != nil {
		m.budgets[id].budget = b
		return
	}
	if len(m.budgets) >= maxBudgets {
		id = budgetID{other, other}
		if m.budgets[id] != nil {
			return
		}
	}
	set := metric.WithAttributeSet(attribute.NewSet(keyDependency.String(id.dependency), keyBudget.String(id.budget)))
	bm := &budgetMetrics{budget: b, add: []metric.AddOption{set}, observe: []metric.ObserveOption{set}}
	m.budgets[id] = bm
	m.rejections.Add(context.Background(), 0, bm.add...)
}

// budgetsAtZero makes the first rejection of a budget an increase from 0.
func (m *meter) budgetsAtZero() {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, bm := range m.budgets {
		m.rejections.Add(context.Background(), 0, bm.add...)
	}
}

func (m *meter) observeBudgets(_ context.Context, o metric.Float64Observer) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for id, bm := range m.budgets {
		if id.budget != other { // many budgets have no common utilization
			o.Observe(bm.budget.Utilization(), bm.observe...)
		}
	}
	return nil
}

// budgetRejected counts a retry that the budget refused.
func (om *operationMetrics) budgetRejected(r *request) {
	if !r.measured {
		return
	}
	m, p := om.meter, r.op.policy
	m.mu.RLock()
	bm := m.budgets[budgetID{p.dependency, p.budget.name}]
	if bm == nil {
		bm = m.budgets[budgetID{other, other}]
	}
	m.mu.RUnlock()
	m.rejections.Add(r.ctx, 1, bm.add...)
}
