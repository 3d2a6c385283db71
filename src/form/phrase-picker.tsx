import { useLingui } from '@lingui/react/macro'
import { TextQuote } from 'lucide-react'
import { use, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { Button } from '#ui/controls/button.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { usePopup } from '#ui/popup/use-popup.ts'
import { FormDraftsContext } from './form-drafts.ts'
import { inserted, sentencesIn } from './phrases.ts'
import styles from './phrase-picker.module.css'

interface PhrasePickerProps {
  /** Name of the field, which is also in the URL while the sheet is open. */
  name: string
  phrases: readonly string[]
  onPick: (phrase: string) => void
}

/** The sheet 定型文 of a long text field, with fixed sentences and the user's last sentences. */
export function PhrasePicker({ name, phrases, onPick }: PhrasePickerProps) {
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

function Choices({ phrases, onPick }: Pick<PhrasePickerProps, 'phrases' | 'onPick'>) {
  const { t } = useLingui()
  const own = useOwnSentences()
  return (
    <>
      {own.length > 0 && <PhraseList heading={t`自分の文`} phrases={own} onPick={onPick} />}
      <PhraseList heading={t`よく使う文`} phrases={phrases} onPick={onPick} />
    </>
  )
}

interface PhraseListProps {
  heading: string
  phrases: readonly string[]
  onPick: (phrase: string) => void
}

function PhraseList({ heading, phrases, onPick }: PhraseListProps) {
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

/** Returns the user's own stored sentences, read when the sheet opens. */
function useOwnSentences(): readonly string[] {
  const drafts = use(FormDraftsContext)
  const [own, setOwn] = useState<readonly string[]>([])
  useEffect(() => {
    let isClosed = false
    drafts?.read(PHRASES_DRAFT).then(
      (stored) => isClosed || setOwn(sentencesIn(stored?.values)),
      // If the stored sentences cannot be read, the sheet shows only the fixed ones.
      () => undefined,
    )
    return () => {
      isClosed = true
    }
  }, [drafts])
  return own
}
