import { MapPin, Phone } from 'lucide-react'
import { useLingui } from '@lingui/react/macro'
import { dialled } from '#lib/phone-number.ts'
import { Icon } from '#ui/base/icon.tsx'
import styles from './mini.module.css'

/** The link 地図, which opens the place on a map in a new tab. */
export function MapLink({ href }: { href: string }) {
  const { t } = useLingui()
  return (
    <a className={styles.mini} href={href} target="_blank" rel="noreferrer">
      <Icon as={MapPin} />
      {t`地図`}
    </a>
  )
}

/** The link 電話, which calls the first phone number in a text. Nothing is rendered without one. */
export function PhoneLink({ number }: { number: string }) {
  const { t } = useLingui()
  const first = dialled(number)
  if (first === null) return null
  return (
    <a className={styles.mini} href={`tel:${first}`}>
      <Icon as={Phone} />
      {t`電話`}
    </a>
  )
}
