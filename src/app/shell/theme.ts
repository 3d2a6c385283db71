/** Theme of the page: the user's choice in 設定, otherwise the device's. */
import type { Theme } from '#data/context/app-context.tsx'
import { createValueStore } from '#lib/value-store.ts'

export const THEME_KEY = 'genba:theme'
const BAR_COLOURS = { light: '#08351f', dark: '#0b2a1b', outdoor: '#ffffff' }
const DARK = '(prefers-color-scheme: dark)'

const isTheme = (text: string | null): text is keyof typeof BAR_COLOURS =>
  text !== null && Object.hasOwn(BAR_COLOURS, text)

/** Shows the named theme; the device's theme if the text is null or names no theme. */
export function applyTheme(chosen: string | null): void {
  const theme = isTheme(chosen) ? chosen : matchMedia(DARK).matches ? 'dark' : 'light'
  document.documentElement.dataset['theme'] = theme
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BAR_COLOURS[theme])
}

export function createThemeStore() {
  const store = createValueStore<Theme>(storedTheme())
  const apply = () => applyTheme(store.get())
  matchMedia(DARK).addEventListener('change', apply)
  store.subscribe(apply)
  window.addEventListener('storage', ({ key }) => {
    if (key === THEME_KEY || key === null) store.set(storedTheme())
  })
  return {
    ...store,
    set(theme: Theme) {
      // Applied even if the device is full. `watch-errors.ts` then shows that the choice could not be stored.
      store.set(theme)
      localStorage.setItem(THEME_KEY, theme)
    },
  }
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY)
  return isTheme(stored) ? stored : 'system'
}
