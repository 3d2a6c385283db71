/** The interface's languages, and the one on screen. Texts that leave the device use `inJapanese`. */

/** In the order of the choice. `html` is the page's `lang`; `name` is in the language itself. */
export const LANGUAGES = {
  ja: { html: 'ja', name: '日本語' },
  'ja-x-easy': { html: 'ja', name: 'やさしい日本語' },
  en: { html: 'en', name: 'English' },
  vi: { html: 'vi', name: 'Tiếng Việt' },
  id: { html: 'id', name: 'Bahasa Indonesia' },
} as const

export type Language = keyof typeof LANGUAGES

export const SOURCE_LANGUAGE = 'ja' satisfies Language

export const isLanguage = (text: unknown): text is Language =>
  typeof text === 'string' && Object.hasOwn(LANGUAGES, text)

let shown: Language = SOURCE_LANGUAGE
let labels: Readonly<Record<string, string>> = {}

export const shownLanguage = (): Language => shown

/**
 * Sets the language of all texts. Only `messages/activate-language.ts` may call it, which also loads the texts.
 * @param labelsOfCodes Japanese label in `schemas/codes.ts` → label in this language
 */
export function setShownLanguage(language: Language, labelsOfCodes: typeof labels): void {
  shown = language
  labels = labelsOfCodes
}

/** Returns a code's label in the language on screen. Labels from the CRM or `config.json` are not translated. */
export const shownLabel = (label: string): string =>
  shown !== SOURCE_LANGUAGE && Object.hasOwn(labels, label) ? (labels[label] ?? label) : label

/** Runs `make` with all texts in Japanese. It must be synchronous, because other code would run meanwhile. */
export function inJapanese<T>(make: () => T extends PromiseLike<unknown> ? never : T): T {
  const before = shown
  shown = SOURCE_LANGUAGE
  try {
    return make()
  } finally {
    shown = before
  }
}

/** Key in localStorage, which the page can read before the first paint. */
export const LANGUAGE_KEY = 'genba:language'

/** `device`: the last choice on this device. `users`: the last choice of each user, by id. */
type LanguageChoices = { device?: Language; users: Readonly<Record<string, Language>> }

/** Reads the stored choices of a language. Languages that the app does not have are left out. */
export function languageChoices(storage: Pick<Storage, 'getItem'>): LanguageChoices {
  const entries = (value: unknown) => Object.entries(typeof value === 'object' && value ? value : {})
  try {
    const found = Object.fromEntries(entries(JSON.parse(storage.getItem(LANGUAGE_KEY) ?? '{}')))
    const users = entries(found['users']).filter((each): each is [string, Language] => isLanguage(each[1]))
    const device: unknown = found['device']
    return { ...(isLanguage(device) && { device }), users: Object.fromEntries(users) }
  } catch {
    return { users: {} }
  }
}

/** Adds a choice to the stored ones, for the device and the user. @param userId null before a login */
export const withLanguage = (
  { users }: LanguageChoices,
  language: Language,
  userId: string | null,
): LanguageChoices => ({
  device: language,
  users: userId === null ? users : { ...users, [userId]: language },
})

/** Returns the language that the user has chosen, or else the device's last choice; undefined if there is none. */
export function chosenLanguage(
  { device, users }: LanguageChoices,
  userId: string | null,
): Language | undefined {
  const own = userId !== null && Object.hasOwn(users, userId) ? users[userId] : undefined
  return own ?? device
}

/** The language at the start: the user's choice, else the device's, else the browser's (`wanted`), else Japanese. */
export const startLanguage = (
  choices: LanguageChoices,
  userId: string | null,
  wanted: readonly string[],
): Language => chosenLanguage(choices, userId) ?? offeredLanguage(wanted)

function offeredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [language = ''] = tag.toLowerCase().split('-')
    if (isLanguage(language)) return language
  }
  return SOURCE_LANGUAGE
}
