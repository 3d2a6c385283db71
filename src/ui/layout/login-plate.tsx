import { useLingui } from '@lingui/react/macro'
import { CloudOff, Wifi } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { ProductMark } from '#ui/feedback/mark-svg.tsx'
import styles from './login-plate.module.css'

interface LoginScreenProps {
  /** 現場ワーク, from the environment. */
  appName: string
  /** 2026年11月20日（金） */
  date: string
  online: boolean
  /** LoginWait, then a form: h1, FlashBanner, Fields, Button. */
  children: ReactNode
}

/** The screen before the app: the plate with mark and name, and a card for the form. */
export function LoginScreen({ appName, date, online, children }: LoginScreenProps) {
  const { t } = useLingui()
  return (
    <div className={styles.login}>
      <header className={styles.brand}>
        <div className={styles.plate}>
          <p className={styles.mark}>
            <ProductMark size={44} />
          </p>
          <p className={styles.name}>{appName}</p>
          <p className={styles.meta}>
            <span className="num">{date}</span>
            <span className={styles.net}>
              <Icon as={online ? Wifi : CloudOff} />
              {online ? t`オンライン` : t`オフライン`}
            </span>
          </p>
        </div>
      </header>
      <main className={styles.card}>{children}</main>
    </div>
  )
}

/** Below the form, over the whole width of the card: sections that have a gutter of their own. */
export function LoginBelow({ children }: { children: ReactNode }) {
  return <div className={styles.below}>{children}</div>
}

/** The card before its form is there, as high as the form. */
export function LoginWait({ heading }: { heading: string }) {
  return (
    <div className={styles.waiting}>
      <h1>{heading}</h1>
    </div>
  )
}
