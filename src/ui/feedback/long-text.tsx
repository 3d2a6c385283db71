import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '#ui/controls/button.tsx'
import styles from './long-text.module.css'

/** Length of the longest text in the CRM contract, in UTF-16 units. Shorter texts are never folded. */
const SHOWN = 1_000

/**
 * A text with its line breaks. Of a text that is longer than the CRM contract allows, only the beginning is shown, and
 * a button shows the rest: the browser lays out every line before the first paint, visible or not (decisions/speed).
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

/** The first `SHOWN` units of a text, without half of a surrogate pair at the end. */
const beginningOf = (text: string) => text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, '')
