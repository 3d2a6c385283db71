import { useLingui } from '@lingui/react/macro'
import { Image } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#ui/base/icon.tsx'
import styles from './thumbs.module.css'

/** The thumbnails of a card. Children are Thumb elements. */
export function Thumbs({ children }: { children: ReactNode }) {
  return <div className={styles.thumbs}>{children}</div>
}

interface ThumbProps {
  /** Undefined while the thumbnail loads. */
  src: string | undefined
  /** Counted from 1. */
  n: number
  onOpen: () => void
}

/** A photo's thumbnail as a button named 写真nを開く. */
export function Thumb({ src, n, onOpen }: ThumbProps) {
  const { t } = useLingui()
  return (
    <button type="button" aria-label={t`写真${n}を開く`} onClick={onOpen}>
      {src === undefined ? <Icon as={Image} /> : <img src={src} alt="" loading="lazy" decoding="async" />}
    </button>
  )
}

interface PlainThumbsProps {
  label: string
  /** URLs of the photos. A URL is undefined while its photo loads. */
  sources: readonly (string | undefined)[]
}

/** Thumbnails that the user cannot open. */
export function PlainThumbs({ label, sources }: PlainThumbsProps) {
  const { t } = useLingui()
  return (
    <ul className={styles.plain} aria-label={label}>
      {sources.map((src, i) => {
        // The number serves as the key, because these photos have no id.
        const n = i + 1
        return (
          <li key={n}>{src === undefined ? <Icon as={Image} /> : <img src={src} alt={t`写真${n}`} />}</li>
        )
      })}
    </ul>
  )
}
