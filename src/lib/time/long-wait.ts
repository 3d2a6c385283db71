/** Longer than a slow phone takes to start, to read or to write: what waits for its storage says so then (sync RULES SV1). */
export const LONG_WAIT_MS = 10_000
