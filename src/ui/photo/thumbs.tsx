import { useLingui } from '@lingui/react/macro'
import { Image } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './thumbs.module.css'

/** Photos of a card: Thumbs hold Thumb. */
export function Thumbs({ children }: { children: ReactNode }) {
  return <div className={styles.thumbs}>{children}</div>
}

interface ThumbProps {
  /** Left out while it is fetched. */
  src: string | undefined
  /** Counted from 1. */
  n: number
  onOpen: () => void
}

/** One photo, a button 写真nを開く. */
export function Thumb({ src, n, onOpen }: ThumbProps) {
  const { t } = useLingui()
  return (
    <button type="button" aria-label={t`写真${n}を開く`} onClick={onOpen}>
      {src === undefined ? <Icon as={Image} /> : <img src={src} alt="" loading="lazy" decoding="async" />}
    </button>
  )
}
