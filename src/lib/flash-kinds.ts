/** Types of banners (spec 4), which their store, component and texts share. */

export type FlashMode = 'danger' | 'info' | 'warning' | 'success' | 'email' | 'timeout'
/** Subject of a banner that has an icon of its own: no signal, locked data (封印中), a passkey, a waiting time. */
export type FlashAbout = 'offline' | 'sealed' | 'passkey' | 'wait'

export interface TextBanner {
  mode: FlashMode
  title?: string
  text: string
  stays?: boolean
  link?: { path: string; text: string }
  /** True if the text says that the device has no space. */
  isAboutSpace?: boolean
}

/** The functions of the banner store that `src/messages` uses. */
export interface BannerPlace {
  put(key: string, banner: TextBanner): void
  remove(key: string): void
  at(key: string): Pick<TextBanner, 'isAboutSpace'> | undefined
}
