package figures

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/summary"
)

// maxSlots bounds the stretch of time that one track covers, in slots; past it
// slots double in width.
const maxSlots = 512

// track is a count over time in slots of equal, adaptive width.
type track struct {
	width int64     // ns
	base  int64     // the number of the first slot, counted from 1970
	slots []float64 // from base on
}

func newTrack() *track { return &track{width: int64(time.Second)} }

func (t *track) add(at int64, n float64) {
	if t == nil || at <= 0 || n == 0 {
		return
	}
	if i := at/t.width - t.base; i >= 0 && i < int64(len(t.slots)) {
		t.slots[i] += n
		return
	}
	t.reach(at)
	t.slots[at/t.width-t.base] += n
}

// reach makes the track cover a time.
func (t *track) reach(at int64) {
	if len(t.slots) == 0 {
		t.base, t.slots = at/t.width, make([]float64, 1, 16)
		return
	}
	for {
		slot := at / t.width
		first, last := min(t.base, slot), max(t.base+int64(len(t.slots))-1, slot)
		if last-first < maxSlots {
			if first < t.base {
				t.slots = append(make([]float64, t.base-first), t.slots...)
				t.base = first
			}
			for int64(len(t.slots)) <= last-first {
				t.slots = append(t.slots, 0)
			}
			return
		}
		t.widen(t.width * 2)
	}
}

// widen makes slots at least that wide. Pairs of slots become one, in place: a
// slot goes to where it was or before.
func (t *track) widen(width int64) {
	for t.width < width {
		base, wider := t.base>>1, 0
		for i, n := range t.slots {
			j := int((t.base+int64(i))>>1 - base)
			if j == wider {
				t.slots[j] = n
				wider++
			} else {
				t.slots[j] += n
			}
		}
		t.slots, t.base, t.width = t.slots[:wider], base, t.width*2
	}
}

// get returns the count of a slot.
func (t *track) get(slot int64) float64 {
	if i := slot - t.base; i >= 0 && i < int64(len(t.slots)) {
		return t.slots[i]
	}
	return 0
}

// alignTracks gives all tracks one width, such that together they use at most
// maxSlots slots, and returns it with those slots in order.
func alignTracks(tracks []*track) (width int64, slots []int64) {
	width = int64(time.Second)
	for _, t := range tracks {
		width = max(width, t.width)
	}
	for used := map[int64]bool{}; ; width *= 2 {
		clear(used)
		for _, t := range tracks {
			t.widen(width)
			for i, n := range t.slots {
				if n != 0 {
					used[t.base+int64(i)] = true
				}
			}
		}
		if len(used) > maxSlots {
			continue
		}
		for slot := range used {
			slots = append(slots, slot)
		}
		slices.Sort(slots)
		return width, slots
	}
}

// timeline lays out the counts over time, from metrics where there are any.
// What does not add up to the total is left out: not all of it was counted over
// time, or not every operation knows it.
func (b *Builder) timeline(out *summary.Summary, fromSpans map[operationKey]bool) {
	var names []trackName
	var tracks []*track
	var factors []float64
	takeTimes := func(factor float64, name trackName, t *track) {
		names = append(names, name)
		tracks = append(tracks, t)
		factors = append(factors, factor)
	}
	take := func(name trackName, t *track) { takeTimes(1, name, t) }
	for key, t := range b.tracks {
		if fromSpans[key.operationKey] {
			continue
		}
		retries := b.tracks[trackKey{key.operationKey, trackName{trackRetryTotal, ""}}]
		switch {
		case key.what == trackRetryTotal:
		case retries == nil:
		case key.what == trackRequests && b.tracks[trackKey{key.operationKey, trackName{trackAttempts, ""}}] == nil:
			take(trackName{trackAttempts, ""}, t) // attempts are requests and retries
		case key.what == trackRetries: // what no class counts is of an unknown one
			takeTimes(-1, trackName{trackRetries, UnknownClass}, t)
		}
		if key.what != trackRetryTotal {
			take(key.trackName, t)
			continue
		}
		if b.tracks[trackKey{key.operationKey, trackName{trackAttempts, ""}}] == nil {
			take(trackName{trackAttempts, ""}, t)
		}
		take(trackName{trackRetries, UnknownClass}, t)
	}
	for key, t := range b.spanTracks {
		if !fromSpans[key.operationKey] {
			continue
		}
		shadowed := slices.Contains(b.spans.shadowed, key.operationKey)
		switch {
		case key.what == trackSendRequests && !shadowed:
			take(trackName{trackRequests, key.class}, t)
		case key.what == trackSendAttempts && !shadowed:
			take(trackName{trackAttempts, key.class}, t)
		case key.what != trackSendRequests && key.what != trackSendAttempts:
			take(key.trackName, t)
		}
	}
	if len(tracks) == 0 {
		return
	}
	width, slots := alignTracks(tracks)
	sums := map[string]float64{}
	for _, slot := range slots {
		s := summary.Slot{
			Start: time.Unix(0, slot*width).UTC(), Width: time.Duration(width),
			Attempts: ptr(0.0), FirstSuccess: ptr(0.0), AddedSeconds: ptr(0.0), RetriesByClass: map[string]float64{},
		}
		for i, name := range names {
			n := tracks[i].get(slot) * factors[i]
			if n == 0 {
				continue
			}
			sums[name.what] += n
			switch name.what {
			case trackRequests:
				s.Requests += n
				if name.class != contract.Canceled {
					s.Eligible += n
				}
				if name.class == contract.FirstAttemptSuccess {
					*s.FirstSuccess += n
				}
			case trackAttempts:
				*s.Attempts += n
			case trackRetries:
				s.RetriesByClass[name.class] += n
			case trackAdded:
				*s.AddedSeconds += n
			}
		}
		maps.DeleteFunc(s.RetriesByClass, func(_ string, n float64) bool { return math.Abs(n) < 1e-6 })
		out.Timeline = append(out.Timeline, s)
	}
	out.Timeline = known(out.Timeline, &out.Total, sums)
}

// known takes out of a timeline what is not known.
func known(timeline []summary.Slot, total *summary.Figures, sums map[string]float64) []summary.Slot {
	is := func(what string, want *float64) bool {
		return want != nil && math.Abs(*want-sums[what]) <= 1e-6*max(1, math.Abs(*want))
	}
	if !is(trackRequests, total.Requests) {
		return nil
	}
	var added *float64
	if total.AddedLatency != nil && total.AddedLatency.Mean != nil {
		added = ptr(*total.AddedLatency.Mean * *total.Requests)
	}
	var retries *float64
	if total.RetriesByClass != nil {
		retries = ptr(sum(total.RetriesByClass))
	}
	negative := false // classes that were counted at other times than all retries
	for _, s := range timeline {
		for _, n := range s.RetriesByClass {
			negative = negative || n < 0
		}
	}
	for i := range timeline {
		s := &timeline[i]
		if !is(trackAttempts, total.Attempts) {
			s.Attempts = nil
		}
		if total.FirstAttemptSuccess == nil {
			s.FirstSuccess = nil
		}
		if !is(trackAdded, added) {
			s.AddedSeconds = nil
		}
		if negative || !is(trackRetries, retries) {
			s.RetriesByClass = nil
		}
	}
	return timeline
}
