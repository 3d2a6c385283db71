/**
 * Inlined in the head of the page (.build/inline-scripts.ts): sets theme and language before anything is painted or loaded.
 */
import { lastScope, scoped } from '#lib/browser/crm-scope.ts'
import { languageChoices, LANGUAGES, startLanguage } from '#lib/language.ts'

const COLOURS: Record<string, string> = { light: '#08351f', dark: '#0b2a1b', outdoor: '#ffffff' }

setTheme(document.documentElement)
setLanguage(document.documentElement)

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

/**
 * Sets the language that the signed-in user has chosen, else the device's. The texts of `first-paint.ts` are always
 * Japanese.
 */
function setLanguage(page: HTMLElement): void {
  let user: string | null = null
  let storage: Pick<Storage, 'getItem'> = { getItem: () => null }
  try {
    storage = localStorage
    user = storage.getItem(scoped('genba:shell', lastScope()))
  } catch {
    // no storage: the browser's language
  }
  const name = user === null ? null : scoped(user, lastScope())
  const language = startLanguage(languageChoices(storage), name, navigator.languages)
  page.lang = LANGUAGES[language].html
  page.dataset['language'] = language
}
