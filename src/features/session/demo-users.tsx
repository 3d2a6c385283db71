import { useLingui } from '@lingui/react/macro'
import { Button } from '#ui/controls/button.tsx'
import styles from './demo-users.module.css'

const DEMO_DRAFT = { userName: 'demo6', password: 'password' }

/** A note on the login screen of the demo, with a button that fills in a user. */
export function DemoUsers({ onFill }: { onFill: (draft: typeof DEMO_DRAFT) => void }) {
  const { t } = useLingui()
  return (
    <aside className={styles.note} aria-label={t`デモのユーザー`}>
      <p>{t`デモのユーザーは demo1〜demo9、パスワードは password です。依頼を見られるのは demo5〜demo8 です。`}</p>
      <Button onClick={() => onFill(DEMO_DRAFT)}>{t`デモ用に入力`}</Button>
    </aside>
  )
}
