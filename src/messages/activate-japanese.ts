/** Sets up lingui. Each text is compiled into the module that uses it (decisions/forms). */
import type { I18n, MessageDescriptor, MessageOptions } from '@lingui/core'

/** Matches right-to-left letters. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_DIRECTIONAL_ISOLATE = '\u2069'

/** Isolates a right-to-left value in a sentence, so that it does not reorder the words around it. */
const isolated = (value: unknown): unknown =>
  typeof value === 'string' && RIGHT_TO_LEFT.test(value)
    ? `${FIRST_STRONG_ISOLATE}${value}${POP_DIRECTIONAL_ISOLATE}`
    : value

type Values = Record<string, unknown>

const isolatedAll = (values: Values = {}): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)]))

/** Activates Japanese in `i18n` and isolates the values of each sentence (decisions/merge). */
export function activateJapanese(i18n: I18n): void {
  i18n.loadAndActivate({ locale: 'ja', messages: {} })
  if (Object.hasOwn(i18n, '_')) return
  const said = i18n._.bind(i18n)
  const isolating: I18n['_'] = (
    message: MessageDescriptor | string,
    values?: Values,
    options?: MessageOptions,
  ) =>
    typeof message === 'string'
      ? said(message, isolatedAll(values), options)
      : said({ ...message, values: isolatedAll(message.values) })
  Object.assign(i18n, { _: isolating, t: isolating })
}
