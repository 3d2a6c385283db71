/** Which build this page is of, by the name of its first script; null where the page has none. */
export const buildName = (): string | null =>
  document.querySelector('script[type="module"]')?.getAttribute('src') ?? null
