import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '#ui/controls/button.tsx'
import styles from './long-text.module.css'

/** The CRM contract's maximum length of a text, in UTF-16 units. A longer text of the CRM is folded. */
const SHOWN = 1_000

/**
 * A text with its line breaks. If the text exceeds SHOWN, a button shows the rest, because the browser lays out all
 * lines before the first paint (decisions/speed).
 */
export function LongText({ text }: { text: string }) {
  const { t } = useLingui()
  const [isWhole, setWhole] = useState(false)
  if (text.length <= SHOWN) return <>{text}</>
  return (
    <>
      {isWhole ? text : `${beginningOf(text)}…`}
      <Button wide className={styles.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? t`短く表示` : t`続きを表示`}
      </Button>
    </>
  )
}

/** Returns the first `SHOWN` units of a text, without half a surrogate pair at the end. */
const beginningOf = (text: string) => text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, '')
