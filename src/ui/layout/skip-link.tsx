import { useLingui } from '@lingui/react/macro'
import styles from './skip-link.module.css'

/** The id of the element that holds what the screen is about. */
export const MAIN = 'main'

/** 本文へ移動: past navigation and list, by keyboard. The first stop of the page, seen only there. */
export function SkipLink() {
  const { t } = useLingui()
  return (
    <a
      className={styles.skip}
      href={`#${MAIN}`}
      onClick={(event) => {
        // the address stays as it is
        event.preventDefault()
        document.getElementById(MAIN)?.focus()
      }}
    >
      {t`本文へ移動`}
    </a>
  )
}
