import type { I18n } from '@lingui/core'

type MessageCompiler = Parameters<I18n['setMessagesCompiler']>[0]

/** Texts hold names in braces, and nothing else of ICU: no plurals, no formats, no quoting. */
const NAME = /\{(\w+)\}/

/**
 * A text as lingui takes it. The texts travel in the code that shows them, so that the first screen brings its own and no
 * catalogue of all.
 */
export const compileText: MessageCompiler = (text) =>
  text
    .split(NAME)
    .map((part, index): string | [string] => (index % 2 === 1 ? [part] : part))
    .filter((part) => part !== '')
