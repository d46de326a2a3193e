// Package known holds what the linter knows of packages other than retry
// libraries: which calls leave the process and which never do, which functions
// make unique ids, and what well-known predicates and sentinels say about a
// failure.
//
// The tables are data, apart from the code that reads them. What they don't
// list is not known, and the zero value of every answer says so.
package known
