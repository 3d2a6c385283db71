/**
 * Time after which a wait for storage is reported to the user; longer than a slow phone needs to start, read
 * or write (sync RULES SV1).
 */
export const LONG_WAIT_MS = 10_000
