import { useLingui } from '@lingui/react/macro'
import styles from './skip-link.module.css'

/** Id of the element with the main content. */
export const MAIN = 'main'

/**
 * The link 本文へ移動, which lets keyboard users skip the navigation and the list. It is the first tab stop and visible only
 * while focused.
 */
export function SkipLink() {
  const { t } = useLingui()
  return (
    <a
      className={styles.skip}
      href={`#${MAIN}`}
      onClick={(event) => {
        // Prevents the browser from adding the hash to the URL.
        event.preventDefault()
        document.getElementById(MAIN)?.focus()
      }}
    >
      {t`本文へ移動`}
    </a>
  )
}
