/** Types of banners (spec 4), which their store, component and texts share. */

export type FlashMode = 'danger' | 'info' | 'warning' | 'success' | 'email' | 'timeout'

/** The subject of a banner whose icon shows the subject: offline, locked data, a passkey, a time to wait. */
export type FlashAbout = 'offline' | 'sealed' | 'passkey' | 'wait'

export interface TextBanner {
  mode: FlashMode
  title?: string
  text: string
  /** True if only the user closes the banner. */
  stays?: boolean
  link?: { path: string; text: string }
}

/** The part of the banners' store that texts use. */
export interface BannerPlace {
  put(key: string, banner: TextBanner): void
  remove(key: string): void
  has(key: string): boolean
}
