/** The sheet 定型文 of a long text field: fixed sentences, and the last sentences that the user saved in long texts. */
import { useLingui } from '@lingui/react/macro'
import { TextQuote } from 'lucide-react'
import { use, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { Button } from '#ui/controls/button.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { usePopup } from '#ui/popup/use-popup.ts'
import { useFormContext } from './form-contexts.ts'
import { type FormDrafts, FormDraftsContext } from './form-drafts.ts'
import styles from './phrases.module.css'

/** Maximum number of the user's own sentences. */
export const OWN_MAX = 5
/** Length limits of a stored sentence, in characters. Others are quick to type, or seldom used again. */
const [SENTENCE_MIN, SENTENCE_MAX] = [4, 100]

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

/** Registers a long text field, so that a submit stores its sentences. @param fixed undefined without 定型文 */
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

/**
 * The ref of a text area, and a function that inserts a sentence at the caret.
 * @param text current text of the text area
 */
export function useInsertion(text: string, onChange: (text: string) => void) {
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = (phrase: string) => {
    const { selectionStart, selectionEnd } = area.current ?? { selectionStart: 0, selectionEnd: 0 }
    const next = inserted(text, phrase, selectionStart, selectionEnd)
    flushSync(() => onChange(next.text))
    // The caret moves behind the sentence. The text area is not focused, because that would open the keyboard.
    area.current?.setSelectionRange(next.caret, next.caret)
  }
  return { area, insert }
}

interface ChoicesProps {
  phrases: readonly string[]
  onPick: (phrase: string) => void
}

/** The button 定型文 and its sheet. @param name name of the field, which is also in the URL of the open sheet */
export function PhrasePicker({ name, phrases, onPick }: ChoicesProps & { name: string }) {
  const { t } = useLingui()
  const { isOpen, open, close } = usePopup(`phrases-${name}`)
  const pick = (phrase: string) => {
    onPick(phrase)
    close()
  }
  return (
    <>
      <Button icon={TextQuote} aria-haspopup="dialog" onClick={open}>
        {t`定型文`}
      </Button>
      {isOpen && (
        <Sheet heading={t`定型文`} onClose={close}>
          <Choices phrases={phrases} onPick={pick} />
        </Sheet>
      )}
    </>
  )
}

function Choices({ phrases, onPick }: ChoicesProps) {
  const { t } = useLingui()
  const own = useOwnSentences()
  return (
    <>
      {own.length > 0 && <PhraseList heading={t`自分の文`} phrases={own} onPick={onPick} />}
      <PhraseList heading={t`よく使う文`} phrases={phrases} onPick={onPick} />
    </>
  )
}

function PhraseList({ heading, phrases, onPick }: ChoicesProps & { heading: string }) {
  return (
    <section className={styles.list}>
      <h3>{heading}</h3>
      <ul>
        {phrases.map((phrase) => (
          <li key={phrase}>
            <button type="button" onClick={() => onPick(phrase)}>
              {phrase}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns the user's own stored sentences, read when the sheet opens; [] if they cannot be read. */
function useOwnSentences(): readonly string[] {
  const drafts = use(FormDraftsContext)
  const [own, setOwn] = useState<readonly string[]>([])
  useEffect(() => {
    let isClosed = false
    drafts?.read(PHRASES_DRAFT).then(
      (stored) => isClosed || setOwn(sentencesIn(stored?.values)),
      () => undefined,
    )
    return () => {
      isClosed = true
    }
  }, [drafts])
  return own
}
