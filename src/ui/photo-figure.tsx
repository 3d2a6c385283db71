import { useLingui } from '@lingui/react/macro'
import styles from './photo-figure.module.css'

interface PhotoFigureProps {
  /** Left out while it is fetched. */
  src: string | undefined
  alt: string
  name: string
  /** 11/20 09:12 */
  takenAt: string | undefined
  position: string | undefined
  /** Said in place of the photo where it cannot be had. */
  missing: string | undefined
}

/** A photo as large as the screen allows, and what is known of it. */
export function PhotoFigure({ src, alt, name, takenAt, position, missing }: PhotoFigureProps) {
  const { t } = useLingui()
  return (
    <figure className={styles.figure}>
      {src === undefined ? (
        <p className={styles.missing}>{missing ?? t`読み込み中`}</p>
      ) : (
        <img src={src} alt={alt} decoding="async" />
      )}
      <figcaption className="num">
        <span>{name}</span>
        {takenAt !== undefined && <span>{t`撮影日時 ${takenAt}`}</span>}
        {position !== undefined && <span>{t`位置情報 ${position}`}</span>}
      </figcaption>
    </figure>
  )
}
