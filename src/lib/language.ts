/**
 * The languages of the interface, and the language that is shown. Texts that leave the device (pictures, PDF, sent texts)
 * are made with `inJapanese`, in every language of the interface (decisions/screens).
 */

/**
 * The languages in the order in which they are offered. `html` is the page's `lang`; `name` is in the language itself.
 */
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

/** The language in which texts are made at this moment. */
export const shownLanguage = (): Language => shown

/**
 * Sets the language of all texts made from now on; only `messages/activate-language.ts` calls it.
 * @param labelsOfCodes from the Japanese label in `schemas/codes.ts` to the label in this language
 */
export function setShownLanguage(language: Language, labelsOfCodes: typeof labels): void {
  shown = language
  labels = labelsOfCodes
}

/** Returns the label of a code in the language that is shown; a label of the CRM or the operator is returned as it is. */
export const shownLabel = (label: string): string =>
  shown !== SOURCE_LANGUAGE && Object.hasOwn(labels, label) ? (labels[label] ?? label) : label

/**
 * Runs `make` with all texts in Japanese, for customers, the office and the CRM.
 * @param make must be synchronous, because other code would make its texts in Japanese, too, before a promise settles
 */
export function inJapanese<T>(make: () => T extends PromiseLike<unknown> ? never : T): T {
  const before = shown
  shown = SOURCE_LANGUAGE
  try {
    return make()
  } finally {
    shown = before
  }
}

/** Key in localStorage, which can be read before the first paint. */
export const LANGUAGE_KEY = 'genba:language'

/** `device`: the last choice on this device. `users`: the choice of each user id. */
interface LanguageChoices {
  device?: Language
  users: Readonly<Record<string, Language>>
}

/** Reads the stored choices, except languages that this version does not have. */
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

/** Returns the stored choices with a new one. @param userId null before anybody signs in */
export function withLanguage(
  { users }: LanguageChoices,
  language: Language,
  userId: string | null,
): LanguageChoices {
  return { device: language, users: userId === null ? users : { ...users, [userId]: language } }
}

/** Returns the user's choice, else the device's; undefined if nobody has chosen. */
export function chosenLanguage(
  { device, users }: LanguageChoices,
  userId: string | null,
): Language | undefined {
  const own = userId !== null && Object.hasOwn(users, userId) ? users[userId] : undefined
  return own ?? device
}

/**
 * The language at a start: the user's choice, else the device's, else the first of the browser's languages that the app
 * has, else Japanese.
 * @param wanted `navigator.languages`
 */
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
