/** Detects phone browsers that lack a feature which the app needs. */

/**
 * True for browsers whose photo picker has no camera. Chromium on Android 14 and later offers the camera only if the
 * input also accepts a type that is not an image. Firefox always offers it.
 */
export const hidesCamera = (agent: string): boolean => /Android/.test(agent) && !/Firefox/.test(agent)

/** True for an app on an iPhone's home screen, where a download opens a view without a way back. */
export const cannotDownload = (browser: object): boolean => Reflect.get(browser, 'standalone') === true

/** True for the iPhone, whose telephone keypad cannot type a hyphen. The iPad's can. */
export const hasNoHyphen = (agent: string): boolean => /iPhone|iPod/.test(agent)
