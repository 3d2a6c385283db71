/**
 * After this wait for the device's storage the user is informed. Even a slow phone normally reads and writes faster
 * (sync RULES SV1).
 */
export const LONG_WAIT_MS = 10_000
