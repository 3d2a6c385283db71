/** Theme: the user's choice in 設定, else the device's; `before-first-paint.ts` applies it first. */
import type { Theme } from '#data/context/app-context.tsx'
import { createValueStore } from '#lib/value-store.ts'

const KEY = 'genba:theme'
const BAR: Record<string, string> = { light: '#08351f', dark: '#0b2a1b', outdoor: '#ffffff' }
const DARK = '(prefers-color-scheme: dark)'

export function createThemeStore() {
  const store = createValueStore<Theme>(storedTheme())
  const apply = () => {
    const chosen = store.get()
    const theme = chosen === 'system' ? (matchMedia(DARK).matches ? 'dark' : 'light') : chosen
    document.documentElement.dataset['theme'] = theme
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BAR[theme] ?? '')
  }
  matchMedia(DARK).addEventListener('change', apply)
  store.subscribe(apply)
  // chosen in another tab
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) store.set(storedTheme())
  })
  return {
    get: store.get,
    subscribe: store.subscribe,
    set(theme: Theme) {
      // applied even if a full device cannot store it: the throw is shown (watch-errors)
      store.set(theme)
      localStorage.setItem(KEY, theme)
    },
  }
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' || stored === 'outdoor' ? stored : 'system'
}
