import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '#ui/controls/button.tsx'
import styles from './long-text.module.css'

/** Characters of the contract's longest text: what keeps it is never folded. */
const SHOWN = 1_000

/**
 * A text as it was written. What is longer than the contract's longest text shows its beginning first: the browser lays out
 * every line of a text before the screen's first paint, in sight or not (decisions/speed).
 */
export function LongText({ text }: { text: string }) {
  const { t } = useLingui()
  const [isWhole, setWhole] = useState(false)
  if (text.length <= SHOWN) return text
  return (
    <>
      {isWhole ? text : `${beginningOf(text)}…`}
      <Button wide className={styles.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? t`短く表示` : t`続きを表示`}
      </Button>
    </>
  )
}

/** Never half a character. */
const beginningOf = (text: string) => text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, '')
