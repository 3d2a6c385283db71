/** The text of `<title>`: the screen, then the product (spec 1). */
export const pageTitle = (title: string, appName: string): string => `${title} | ${appName}`
