import { useLingui } from '@lingui/react/macro'
import { Image } from 'lucide-react'
import { Icon, wrapper } from '#ui/base/icon.tsx'
import styles from './thumbs.module.css'

/** The thumbnails of a card. Children are Thumb elements. */
export const Thumbs = wrapper('div', styles.thumbs)

/** A photo's thumbnail as a button named 写真nを開く. */
export function Thumb({ src, n, onOpen }: { src: string | undefined; n: number; onOpen: () => void }) {
  const { t } = useLingui()
  return (
    <button type="button" aria-label={t`写真${n}を開く`} onClick={onOpen}>
      {src === undefined ? <Icon as={Image} /> : <img src={src} alt="" loading="lazy" decoding="async" />}
    </button>
  )
}

/** Thumbnails that the user cannot open. */
export function PlainThumbs({ label, sources }: { label: string; sources: readonly (string | undefined)[] }) {
  const { t } = useLingui()
  return (
    <ul className={styles.plain} aria-label={label}>
      {sources.map((src, i) => {
        const n = i + 1
        return (
          <li key={n}>{src === undefined ? <Icon as={Image} /> : <img src={src} alt={t`写真${n}`} />}</li>
        )
      })}
    </ul>
  )
}
