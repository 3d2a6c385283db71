import { setupI18n } from '@lingui/core'
import { activateJapanese } from '#messages/activate-language.ts'

/** The texts as the source has them, without a catalogue. */
export const i18n = setupI18n()
activateJapanese(i18n)
