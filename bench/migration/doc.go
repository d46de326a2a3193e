// Package migration is the code of docs/migration.md: for each library the
// retry as it was, and the same with otelretry. What stands between a line
// "//doc:" with a name and the next "//doc:end" is in the document word for
// word; a test sees to it, and runs both.
package migration
