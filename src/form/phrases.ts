/** The user's own last sentences in long texts, for 定型文. */
import { useEffect } from 'react'
import { PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { useFormContext } from './form-contexts.ts'
import type { FormDrafts } from './form-drafts.ts'

/** Sentences that are offered. */
export const OWN_MAX = 5
/** Shorter ones are typed as fast; longer ones are about one job. In characters. */
const SENTENCE_MIN = 4
const SENTENCE_MAX = 100

/** Returns stored sentences; whatever else was read is none. */
export function sentencesIn(values: unknown): string[] {
  const sentences: unknown =
    typeof values === 'object' && values !== null ? Reflect.get(values, 'sentences') : []
  return (Array.isArray(sentences) ? sentences : [])
    .filter((each): each is string => typeof each === 'string' && isOffered(each))
    .slice(0, OWN_MAX)
}

/**
 * Returns the sentences with those of a saved text in front, each once.
 * @param fixed sentences that are offered anyway
 */
export function withSentencesOf(text: string, own: readonly string[], fixed: readonly string[]): string[] {
  const typed = text
    .split(/(?<=。)|\n/)
    .map((each) => each.trim())
    .filter((each) => isOffered(each) && !fixed.includes(each))
    .toReversed()
  return [...new Set([...typed, ...own])].slice(0, OWN_MAX)
}

const isOffered = (sentence: string) => {
  const { length } = Array.from(sentence)
  return length >= SENTENCE_MIN && length <= SENTENCE_MAX
}

/** Returns the text with a sentence in place of what is selected, and where the caret is then. */
export function inserted(text: string, sentence: string, start: number, end: number) {
  return { text: text.slice(0, start) + sentence + text.slice(end), caret: start + sentence.length }
}

/** The long texts of a form, each with the sentences that it offers anyway. */
export type LongTexts = Map<string, readonly string[]>

/** Makes the sentences of a field the user's own when the form is submitted. @param fixed undefined for no such field */
export function useLongText(name: string, fixed: readonly string[] | undefined): void {
  const texts = Reflect.get(useFormContext(), 'longTexts') as LongTexts | undefined
  useEffect(() => {
    if (!fixed) return undefined
    texts?.set(name, fixed)
    return () => void texts?.delete(name)
  }, [texts, name, fixed])
}

/** Stores the sentences of submitted values. A failure leaves the earlier ones. */
export async function rememberSentences(drafts: FormDrafts, values: object, texts: LongTexts): Promise<void> {
  const before = sentencesIn((await drafts.read(PHRASES_DRAFT))?.values)
  const after = [...texts].reduce((own, [name, fixed]) => {
    const text: unknown = Reflect.get(values, name)
    return typeof text === 'string' ? withSentencesOf(text, own, fixed) : own
  }, before)
  if (after.join('\n') !== before.join('\n')) await drafts.keep(PHRASES_DRAFT, { sentences: after })
}
