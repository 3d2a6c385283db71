/** Where browsers of phones leave out what a field needs, by the user agent's text. */

/**
 * Chrome and its like on Android 14 and later give a field that takes pictures only to a picker of photos, which has no
 * camera; where the field names one type that no picture is, they ask with the camera among the choices. Firefox always does.
 */
export const hidesCamera = (agent: string): boolean => /Android/.test(agent) && !/Firefox/.test(agent)

/** The keypad for telephone numbers of an iPhone has no hyphen, and no way to one; that of an iPad has. */
export const hasNoHyphen = (agent: string): boolean => /iPhone|iPod/.test(agent)
