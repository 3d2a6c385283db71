import { loadCatalogue } from '#app/shell/language.ts'
import type { Language } from '#lib/language.ts'
import { activateJapanese, activateLanguage } from '#messages/activate-language.ts'
import { i18n } from './i18n.ts'
import { afterThisTest } from './undo.ts'

/** Shows the interface in a language, with its own catalogue, until the end of the test. */
export async function speak(language: Language): Promise<void> {
  activateLanguage(i18n, language, await loadCatalogue(language))
  afterThisTest(() => activateJapanese(i18n))
}
