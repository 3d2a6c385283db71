/**
 * Sets theme and language before anything is painted. This code is inlined in the head of the page
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
    // Without storage, the page has the device's theme.
  }
  applyTheme(chosen)
}

/** Sets the page's `lang` to the signed-in user's language, otherwise to the device's. */
function setLanguage(page: HTMLElement): void {
  let user: string | null = null
  let storage: Pick<Storage, 'getItem'> = { getItem: () => null }
  try {
    storage = localStorage
    user = storage.getItem(scoped('genba:shell', lastScope()))
  } catch {
    // Without storage, the page has the browser's language.
  }
  const name = user === null ? null : scoped(user, lastScope())
  const language = startLanguage(languageChoices(storage), name, navigator.languages)
  page.lang = LANGUAGES[language].html
  page.dataset['language'] = language
}
