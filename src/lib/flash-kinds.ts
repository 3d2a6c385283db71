/** The kinds of banners (spec 4), shared by their store and their component. */

export type FlashMode = 'danger' | 'info' | 'warning' | 'success' | 'email' | 'timeout'

/**
 * The subject of a banner, if its icon should show that instead of the kind: offline, locked data,
 * a passkey, a time to wait.
 */
export type FlashAbout = 'offline' | 'sealed' | 'passkey' | 'wait'
