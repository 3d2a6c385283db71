/** Types of banners (spec 4), shared by their store, their component and their texts. */

export type FlashMode = 'danger' | 'info' | 'warning' | 'success' | 'email' | 'timeout'

/**
 * The subject of a banner, if its icon should show the subject instead of the kind: offline, locked data,
 * a passkey, a time to wait.
 */
export type FlashAbout = 'offline' | 'sealed' | 'passkey' | 'wait'

/** A banner with a text and a link. */
export interface TextBanner {
  mode: FlashMode
  title?: string
  text: string
  /** True if the banner stays until it is closed. */
  stays?: boolean
  link?: { path: string; text: string }
}

/** The part of the banners' store that texts use. */
export interface BannerPlace {
  put(key: string, banner: TextBanner): void
  remove(key: string): void
  has(key: string): boolean
}
