/** What kinds of banners there are (spec 4): for what keeps them and for what draws them. */

export type FlashMode = 'danger' | 'info' | 'warning' | 'success' | 'email' | 'timeout'

/** What a banner speaks of, where its icon says more than the kind of its message: no signal, a seal, a passkey, a time to wait. */
export type FlashAbout = 'offline' | 'sealed' | 'passkey' | 'wait'
