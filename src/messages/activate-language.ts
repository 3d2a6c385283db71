/** Sets up lingui. Japanese texts are in the modules; a catalogue replaces them by id (decisions/screens). */
import {
  setupI18n,
  type I18n,
  type MessageDescriptor,
  type MessageOptions,
  type Messages,
} from '@lingui/core'
import { type Language, setShownLanguage, shownLanguage, SOURCE_LANGUAGE } from '#lib/language.ts'

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_DIRECTIONAL_ISOLATE = '\u2069'

/** Isolates a right-to-left value, so that the browser does not reorder the words around the value. */
const isolated = (value: unknown): unknown =>
  typeof value === 'string' && RIGHT_TO_LEFT.test(value)
    ? `${FIRST_STRONG_ISOLATE}${value}${POP_DIRECTIONAL_ISOLATE}`
    : value

type Values = Record<string, unknown>

const isolatedAll = (values: Values = {}): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)]))

/** A lingui instance that always returns the Japanese texts of the source, for `inJapanese`. */
const japanese = setupI18n({ locale: SOURCE_LANGUAGE, messages: { [SOURCE_LANGUAGE]: {} } })

export interface Catalogue {
  messages: Messages
  /** Japanese label of a code → label in the catalogue's language. */
  labels: Readonly<Record<string, string>>
}

/** The catalogue of Japanese. It is empty, because the Japanese texts are in the modules. */
export const EMPTY_CATALOGUE: Catalogue = { messages: {}, labels: {} }

/** As written by `.build/catalogues.ts`. `numbered`: texts whose id is their index (base 36); `named`: others. */
export interface CatalogueFile {
  numbered: readonly (Messages[string] | null)[]
  named: Readonly<Messages>
  /** Japanese label of a code → index of its text in `numbered`. */
  labels: Readonly<Record<string, number>>
}

export function catalogueOf({ numbered, named, labels }: CatalogueFile): Catalogue {
  const texts = [...numbered.map((text, at) => [at.toString(36), text] as const), ...Object.entries(named)]
  // A text is wrapped in a list, because Lingui takes a list for a compiled text and would compile a plain string.
  const messages = Object.fromEntries(
    texts.flatMap(([id, text]) => (text === null ? [] : [[id, typeof text === 'string' ? [text] : text]])),
  )
  const labelled = Object.entries(labels).flatMap(([label, at]) => {
    const text = numbered[at]
    return typeof text === 'string' ? [[label, text] as const] : []
  })
  return { messages, labels: Object.fromEntries(labelled) }
}

/** Activates Japanese in `i18n`, and isolates values within sentences (decisions/merge). */
export function activateJapanese(i18n: I18n): void {
  activateLanguage(i18n, SOURCE_LANGUAGE, EMPTY_CATALOGUE)
}

/** Activates a language in `i18n`. Texts without a translation are shown in Japanese. */
export function activateLanguage(i18n: I18n, language: Language, { messages, labels }: Catalogue): void {
  setShownLanguage(language, labels)
  i18n.loadAndActivate({ locale: language, messages })
  // The function `_` of an instance is replaced only once.
  if (Object.hasOwn(i18n, '_')) return
  const shown = i18n._.bind(i18n)
  const isolating: I18n['_'] = (
    message: MessageDescriptor | string,
    values?: Values,
    options?: MessageOptions,
  ) => {
    const translate = shownLanguage() === SOURCE_LANGUAGE ? japanese._.bind(japanese) : shown
    return typeof message === 'string'
      ? translate(message, isolatedAll(values), options)
      : translate({ ...message, values: isolatedAll(message.values) })
  }
  Object.assign(i18n, { _: isolating, t: isolating })
}
