/** Returns the text of `<title>`: screen, then product (spec 1). */
export const pageTitle = (title: string, appName: string): string => `${title} | ${appName}`
