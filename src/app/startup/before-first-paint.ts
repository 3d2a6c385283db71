/**
 * Sets theme and language before anything is painted or loaded. Inlined in the head of the page
 * (.build/inline-scripts.ts).
 */
import { applyTheme, THEME_KEY } from '#app/shell/theme.ts'
import { lastScope, scoped } from '#lib/browser/crm-scope.ts'
import { languageChoices, LANGUAGES, startLanguage } from '#lib/language.ts'

// The browser opens this page's storage while the code is loading.
void globalThis.indexedDB?.databases?.().catch(() => undefined)
setTheme()
setLanguage(document.documentElement)

function setTheme(): void {
  let chosen: string | null = null
  try {
    chosen = localStorage.getItem(THEME_KEY)
  } catch {
    // Without storage the device's theme is used.
  }
  applyTheme(chosen)
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
    // Without storage the browser's language is used.
  }
  const name = user === null ? null : scoped(user, lastScope())
  const language = startLanguage(languageChoices(storage), name, navigator.languages)
  page.lang = LANGUAGES[language].html
  page.dataset['language'] = language
}
