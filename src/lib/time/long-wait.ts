/**
 * The app informs the user if the device's storage takes longer than this to answer. Even a slow phone normally reads
 * and writes faster (sync RULES SV1).
 */
export const LONG_WAIT_MS = 10_000
