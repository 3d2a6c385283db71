/** Stores the last sentences that the user typed into long texts. The sheet 定型文 offers them. */
import { useEffect } from 'react'
import { PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { useFormContext } from './form-contexts.ts'
import type { FormDrafts } from './form-drafts.ts'

/** Maximum number of the user's own sentences. */
export const OWN_MAX = 5
/**
 * Length limits of a stored sentence, in characters. Shorter sentences are quick to type, and longer sentences are
 * seldom used again.
 */
const SENTENCE_MIN = 4
const SENTENCE_MAX = 100

/** Returns the sentences in stored values; [] if the values have another shape. */
export function sentencesIn(values: unknown): string[] {
  const sentences: unknown =
    typeof values === 'object' && values !== null ? Reflect.get(values, 'sentences') : []
  return (Array.isArray(sentences) ? sentences : [])
    .filter((each): each is string => typeof each === 'string' && isOffered(each))
    .slice(0, OWN_MAX)
}

/**
 * Adds the sentences of a saved text at the front of the user's own, without duplicates.
 * @param fixed sentences that the sheet 定型文 always offers, which are not added
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

/** Replaces the selection by a sentence. @returns the new text and the new position of the caret */
export function inserted(text: string, sentence: string, start: number, end: number) {
  return { text: text.slice(0, start) + sentence + text.slice(end), caret: start + sentence.length }
}

/** The long text fields of a form, by name, with their fixed sentences. */
export type LongTexts = Map<string, readonly string[]>

/**
 * Registers a long text field, so that a submit stores its sentences as the user's own.
 * @param fixed the field's fixed sentences, which are not stored; undefined for a field without 定型文
 */
export function useLongText(name: string, fixed: readonly string[] | undefined): void {
  const texts = Reflect.get(useFormContext(), 'longTexts') as LongTexts | undefined
  useEffect(() => {
    if (!fixed) return undefined
    texts?.set(name, fixed)
    return () => void texts?.delete(name)
  }, [texts, name, fixed])
}

/** Stores the sentences of submitted values as the user's own. */
export async function rememberSentences(drafts: FormDrafts, values: object, texts: LongTexts): Promise<void> {
  const before = sentencesIn((await drafts.read(PHRASES_DRAFT))?.values)
  const after = [...texts].reduce((own, [name, fixed]) => {
    const text: unknown = Reflect.get(values, name)
    return typeof text === 'string' ? withSentencesOf(text, own, fixed) : own
  }, before)
  if (after.join('\n') !== before.join('\n')) await drafts.keep(PHRASES_DRAFT, { sentences: after })
}
