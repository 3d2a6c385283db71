/** Inlined in the head of the page (.build/inline-scripts.ts): sets the theme before anything is painted or loaded. */

const COLOURS: Record<string, string> = { light: '#08351f', dark: '#0b2a1b', outdoor: '#ffffff' }

setTheme(document.documentElement)

/** The user's choice, else the device's. */
function setTheme(page: HTMLElement): void {
  let theme: string | null = null
  try {
    theme = localStorage.getItem('genba:theme')
  } catch {
    // no storage: the device's theme
  }
  if (theme === null || !Object.hasOwn(COLOURS, theme))
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  page.dataset['theme'] = theme
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', COLOURS[theme] ?? '')
}
