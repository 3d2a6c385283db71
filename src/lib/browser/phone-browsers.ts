/** Detects phone browsers that lack a feature which the app needs. */

/**
 * True for browsers whose photo picker shows no camera. Chromium on Android 14 and later shows the camera only if the
 * input also accepts a type that is not an image.
 */
export const hidesCamera = (agent: string): boolean => /Android/.test(agent) && !/Firefox/.test(agent)

/** True for an app on an iPhone's home screen, where a download opens a view that the user cannot leave. */
export const cannotDownload = (browser: object): boolean => Reflect.get(browser, 'standalone') === true

/** True for the iPhone, whose telephone keypad has no hyphen. The iPad's keypad has one. */
export const hasNoHyphen = (agent: string): boolean => /iPhone|iPod/.test(agent)
