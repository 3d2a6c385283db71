/** Why WebKit cannot be driven here; undefined if it can. */
export function webkitMissing(): string | undefined
