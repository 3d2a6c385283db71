import { setupI18n } from '@lingui/core'

/** The texts as the source has them, without a catalogue. */
export const i18n = setupI18n({ locale: 'ja', messages: { ja: {} } })
