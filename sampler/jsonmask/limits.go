package jsonmask

// uniqueLimits says which items that have to differ are written: of the standard's lists
// some are left out.
const uniqueLimits = "uniqueItems writes at most 8 strings and 8 numbers, or each listed value\n" +
	"once, objects that differ in a member that all must have, else one of them,\n" +
	"and at most 8 lists, of different lengths"

// Limits says which keywords allow fewer texts than the standard. None allows more.
const Limits = uniqueLimits + "; minProperties counts at most 8\n" +
	"undeclared names; not, if and oneOf take of what a schema refuses\nthe part that is known"
