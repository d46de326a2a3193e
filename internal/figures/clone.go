package figures

import (
	"maps"
	"slices"
)

// Clone returns a builder that has been given the same: Summary ends a builder,
// and who follows growing files goes on with the other one.
func (b *Builder) Clone() *Builder {
	c := *b
	tracks := map[*track]*track{nil: nil}
	copied := func(from map[trackKey]*track) map[trackKey]*track {
		to := make(map[trackKey]*track, len(from))
		for key, t := range from {
			to[key] = &track{width: t.width, base: t.base, slots: slices.Clone(t.slots)}
			tracks[t] = to[key]
		}
		return to
	}
	c.tracks, c.spanTracks = copied(b.tracks), copied(b.spanTracks)
	c.streams = make([]*streamEntry, len(b.streams))
	for i, e := range b.streams {
		if e != nil {
			c.streams[i] = &streamEntry{stream: e.clone(tracks), rules: e.rules}
		}
	}
	c.spans = b.spans.clone(tracks, func(key operationKey, name trackName) *track { return trackIn(c.spanTracks, key, name) })
	c.input.Skipped = slices.Clone(b.input.Skipped)
	c.skipped, c.leftOut = maps.Clone(b.skipped), maps.Clone(b.leftOut)
	return &c
}

func (s *stream) clone(tracks map[*track]*track) stream {
	c := *s
	c.follow = slices.Clone(s.follow)
	for i := range c.follow {
		c.follow[i].track = tracks[c.follow[i].track]
	}
	c.delta = s.delta.clone()
	c.covered, c.unknown = slices.Clone(s.covered), slices.Clone(s.unknown)
	for i := range c.unknown {
		c.unknown[i] = s.unknown[i].clone()
	}
	c.incarnations, c.current = make([]*incarnation, len(s.incarnations)), nil
	for i, inc := range s.incarnations {
		in := *inc
		if inc.base != nil {
			base := inc.base.clone()
			in.base = &base
		}
		in.runs = slices.Clone(inc.runs)
		for j := range in.runs {
			in.runs[j].first, in.runs[j].last = inc.runs[j].first.clone(), inc.runs[j].last.clone()
		}
		c.incarnations[i] = &in
		if inc == s.current {
			c.current = &in
		}
	}
	return c
}

func (d *distribution) clone() distribution {
	c := *d
	c.bounds, c.buckets, c.exp = slices.Clone(d.bounds), slices.Clone(d.buckets), maps.Clone(d.exp)
	return c
}

func (a *account) clone() *account {
	c := *a
	for _, m := range []*map[string]float64{&c.outcomes, &c.retries, &c.retried, &c.saved} {
		*m = maps.Clone(*m)
	}
	c.requestAttempts, c.duration, c.added = a.requestAttempts.clone(), a.duration.clone(), a.added.clone()
	c.refused = maps.Clone(a.refused)
	return &c
}

func (s *spans) clone(tracks map[*track]*track, trackFor func(operationKey, trackName) *track) *spans {
	c := *s
	c.trackFor, c.free, c.places, c.repeats = trackFor, nil, nil, s.repeats.clone()
	c.pending, c.oldest, c.newest = make(map[spanKey]*pending, len(s.pending)), nil, nil
	for p := s.oldest; p != nil; p = p.newer {
		q := *p
		q.attempts = slices.Clone(p.attempts)
		q.older, q.newer = c.newest, nil
		if c.newest != nil {
			c.newest.newer = &q
		} else {
			c.oldest = &q
		}
		c.newest = &q
		c.pending[q.key] = &q
	}
	c.accounts = make(map[operationKey]*account, len(s.accounts))
	for key, a := range s.accounts {
		c.accounts[key] = a.clone()
	}
	c.sends = make(map[operationKey]*account, len(s.sends))
	for key, a := range s.sends {
		c.sends[key] = a.clone()
	}
	c.counters = make(map[operationKey]*counters, len(s.counters))
	for key, from := range s.counters {
		to := *from
		to.track = tracks[from.track]
		to.outcomes = slices.Clone(from.outcomes)
		for i := range to.outcomes {
			to.outcomes[i].track = tracks[to.outcomes[i].track]
		}
		to.classes = slices.Clone(from.classes)
		for i := range to.classes {
			to.classes[i].track = tracks[to.classes[i].track]
		}
		if from.account != nil {
			to.account, to.added = c.accounts[key], tracks[from.added]
		}
		c.counters[key] = &to
	}
	c.sites = make(map[operationKey]map[string]bool, len(s.sites))
	for key, sites := range s.sites {
		c.sites[key] = maps.Clone(sites)
	}
	return &c
}
