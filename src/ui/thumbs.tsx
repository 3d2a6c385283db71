import { useLingui } from '@lingui/react/macro'
import styles from './thumbs.module.css'

export interface Thumb {
  key: string
  src: string
}

/** Photos of a card, each a button 写真nを開く. */
export function Thumbs({ photos, onOpen }: { photos: readonly Thumb[]; onOpen: (key: string) => void }) {
  const { t } = useLingui()
  if (photos.length === 0) return null
  return (
    <div className={styles.thumbs}>
      {photos.map((photo, index) => {
        const n = index + 1
        return (
          <button
            key={photo.key}
            type="button"
            aria-label={t`写真${n}を開く`}
            onClick={() => onOpen(photo.key)}
          >
            <img src={photo.src} alt="" loading="lazy" />
          </button>
        )
      })}
    </div>
  )
}
