import { useLingui } from '@lingui/react/macro'
import { CloudOff, Wifi } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, ProductMark, wrapper } from '#ui/base/icon.tsx'
import styles from './login-plate.module.css'

interface LoginPlateProps {
  appName: string
  date: string
  online: boolean
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
export const LoginBelow = wrapper('div', styles.below)

/** The card before its form is loaded. It has the height of the form. */
export const LoginWait = ({ heading }: { heading: string }) => (
  <div className={styles.waiting}>
    <h1>{heading}</h1>
  </div>
)
