import { useLingui } from '@lingui/react/macro'
import { CloudOff, Wifi } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#ui/base/icon.tsx'
import { ProductMark } from '#ui/base/product-mark.tsx'
import styles from './login-plate.module.css'

interface LoginPlateProps {
  appName: string
  /** Example: 2026年11月20日（金） */
  date: string
  online: boolean
  /** LoginWait, or a form with h1, FlashBanner, fields and a Button. */
  children: ReactNode
}

/** The layout of the login screen: logo, name, and a card with the form. */
export function LoginPlate({ appName, date, online, children }: LoginPlateProps) {
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

/** Content below the form over the card's full width, for sections with their own margins. */
export function LoginBelow({ children }: { children: ReactNode }) {
  return <div className={styles.below}>{children}</div>
}

/** The card before its form is loaded. It has the height of the form. */
export function LoginWait({ heading }: { heading: string }) {
  return (
    <div className={styles.waiting}>
      <h1>{heading}</h1>
    </div>
  )
}
