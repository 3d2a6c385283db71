/** Language of the interface: the user's choice, else the browser's (decisions/screens), without a reload. */
import type { I18n } from '@lingui/core'
import {
  chosenLanguage,
  type Language,
  LANGUAGE_KEY,
  languageChoices,
  LANGUAGES,
  SOURCE_LANGUAGE,
  startLanguage,
  withLanguage,
} from '#lib/language.ts'
import { createValueStore } from '#lib/value-store.ts'
import {
  activateLanguage,
  type Catalogue,
  type CatalogueFile,
  catalogueOf,
  EMPTY_CATALOGUE,
} from '#messages/activate-language.ts'

/** Maximum time that a start waits for the texts of the language. Later texts replace the Japanese ones on screen. */
const CATALOGUE_WAIT_MS = 5_000

const FILES = import.meta.glob<CatalogueFile>(['/src/locales/*.po', '!/src/locales/ja.po'], {
  import: 'default',
})

/** Loads the texts of a language. @throws if they are not on the device and there is no signal */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  const file = await FILES[`/src/locales/${language}.po`]?.()
  return file ? catalogueOf(file) : EMPTY_CATALOGUE
}

/** The store of the shown language. @param userId id with the CRM's scope; null if nobody is signed in */
export function createLanguageStore(i18n: I18n, userId: string | null, load = loadCatalogue) {
  const choices = () => languageChoices(localStorage)
  let user = userId
  let isChosenAtLogin = false
  const chosen = createValueStore(startLanguage(choices(), user, navigator.languages))
  /** True while Japanese is shown because the texts of the chosen language are not on the device. */
  const missing = createValueStore(false)
  const show = (language: Language, catalogue: Catalogue) => {
    document.documentElement.lang = LANGUAGES[language].html
    activateLanguage(i18n, language, catalogue)
  }
  const apply = async () => {
    const language = chosen.get()
    const catalogue = language === SOURCE_LANGUAGE ? EMPTY_CATALOGUE : await load(language).catch(() => null)
    if (language !== chosen.get()) return
    missing.set(catalogue === null)
    if (catalogue) show(language, catalogue)
    else show(SOURCE_LANGUAGE, EMPTY_CATALOGUE)
  }
  const change = (language: Language) => {
    if (language === chosen.get()) return Promise.resolve()
    chosen.set(language)
    return apply()
  }
  const followChoice = () => void change(chosenLanguage(choices(), user) ?? chosen.get())
  const remember = () =>
    localStorage.setItem(LANGUAGE_KEY, JSON.stringify(withLanguage(choices(), chosen.get(), user)))
  // Follows a choice that another tab stores. If the other tab clears the storage, the shown language stays.
  window.addEventListener('storage', ({ key }) => {
    if (key === LANGUAGE_KEY || key === null) followChoice()
  })
  window.addEventListener('online', () => {
    if (missing.get()) void apply()
  })
  activateLanguage(i18n, SOURCE_LANGUAGE, EMPTY_CATALOGUE)
  const first = apply()
  return {
    ...chosen,
    missing,
    /** Resolves once texts are loaded and shown, at the latest after CATALOGUE_WAIT_MS. */
    ready: Promise.race([first, new Promise<void>((done) => void setTimeout(done, CATALOGUE_WAIT_MS))]),
    set(language: Language) {
      isChosenAtLogin = user === null
      // Applied even if the device is full. `watch-errors.ts` then shows that the choice could not be stored.
      const done = change(language)
      remember()
      return done
    },
    /** Applies the signed-in user's choice. A choice made on the login screen is stored for this user. */
    followUser(next: string | null) {
      if (next === user) return
      user = next
      if (next !== null && isChosenAtLogin) remember()
      else if (next !== null) followChoice()
      isChosenAtLogin = false
    },
  }
}
