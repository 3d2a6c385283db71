import { useLingui } from '@lingui/react/macro'
import { Camera, CircleX, RotateCw, Trash2 } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { cx } from '#ui/layout/cx.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { SendState, type SendStateName } from '#ui/feedback/send-state.tsx'
import styles from './photo.module.css'

/** Letters that tell photos apart: 20261120091204118.jpg */
const TAIL = 21

/** Photos of a form: PhotoCards. */
export function PhotoList({ children }: { children: ReactNode }) {
  return <ul className={styles.photos}>{children}</ul>
}

interface PhotoCardProps {
  /** The thumbnail; left out while it is made. */
  src?: string | undefined
  /** Counted from 1. */
  n: number
  onOpen: () => void
  name: string
  /** done reads 送信済; draft: taken, and not saved with its form. */
  state: SendStateName
  /** 11/20 09:12 */
  takenAt: string
  /** 写真の記録, この端末の時計: from what that is known. */
  takenFrom?: string | undefined
  /** 35.6491, 139.8083; where left out なし, or 確認中 as long as it is looked for. */
  position?: string | undefined
  positionFrom?: string | undefined
  /** It is still looked for. */
  isPlacing?: boolean | undefined
  onDelete?: (() => void) | undefined
  /** Why it failed, with 再送. */
  error?: string | undefined
  onRetry?: (() => void) | undefined
}

/** One photo: state first, the tail of its name, 撮影日時, 位置情報, 削除. */
export function PhotoCard(props: PhotoCardProps) {
  const { src, n, onOpen, name, state, takenAt, takenFrom, position, positionFrom, isPlacing } = props
  const { onDelete, error, onRetry } = props
  const { t } = useLingui()
  return (
    <li className={cx(styles.photo, error !== undefined && styles.failed)}>
      <button type="button" className={styles.open} aria-label={t`写真${n}を開く`} onClick={onOpen}>
        {src !== undefined && <img className={styles.image} src={src} alt="" decoding="async" />}
      </button>
      <div className={styles.body}>
        <SendState state={state} label={state === 'done' ? t`送信済` : undefined} />
        <PhotoName name={name} />
        <PhotoFact from={takenFrom}>{t`撮影日時 ${takenAt}`}</PhotoFact>
        <PhotoFact from={position && positionFrom}>
          {position !== undefined && t`位置情報 ${position}`}
          {position === undefined && (isPlacing ? t`位置情報 確認中` : t`位置情報 なし`)}
        </PhotoFact>
      </div>
      {onDelete && (
        <button type="button" className={styles.delete} aria-label={t`${name}を削除`} onClick={onDelete}>
          <Icon as={Trash2} />
          {t`削除`}
        </button>
      )}
      {error !== undefined && (
        <div className={styles.error}>
          <Icon as={CircleX} />
          <span>{error}</span>
          {onRetry && (
            <button type="button" onClick={onRetry}>
              <Icon as={RotateCw} />
              {t`再送`}
            </button>
          )}
        </div>
      )}
    </li>
  )
}

/** A file that was picked and is being read: it has its place at once, and the small picture of its camera. */
export function LoadingPhotoCard({ name, src }: { name: string; src?: string | undefined }) {
  const { t } = useLingui()
  return (
    <li className={styles.photo} aria-busy="true">
      {src === undefined ? (
        <span className={styles.image} />
      ) : (
        <img className={styles.image} src={src} alt="" decoding="async" />
      )}
      <div className={styles.body}>
        <output>
          <SendState state="sending" label={t`読み込み中`} />
        </output>
        <PhotoName name={name} />
      </div>
    </li>
  )
}

/** The end of it, which tells photos apart; all of it for who hears it. */
function PhotoName({ name }: { name: string }) {
  return (
    <span className={`${styles.name} num`} title={name}>
      <span aria-hidden="true">{name.length > TAIL ? `…${name.slice(-TAIL)}` : name}</span>
      <span className="vh">{name}</span>
    </span>
  )
}

/** A line under the cards: where photos are that are not among them. */
export function PhotoRest({ children }: { children: ReactNode }) {
  return (
    <p>
      <output>{children}</output>
    </p>
  )
}

/** What is known of a photo, and from what. */
export function PhotoFact({ from, children }: { from: string | undefined; children: ReactNode }) {
  return (
    <span className={styles.fact}>
      <span>{children}</span>
      {from !== undefined && <span>{`（${from}）`}</span>}
    </span>
  )
}

interface AddPhotoProps {
  /** image/png,image/jpeg */
  accept: string
  onFiles: (files: File[]) => void
  /** It was pressed: the camera or the library opens, and takes its time. */
  onOpen?: (() => void) | undefined
  disabled?: boolean | undefined
  /** Ties of a Field around it. */
  describedBy?: string | undefined
  /** Its input: takes the focus of a card that was deleted. */
  ref?: Ref<HTMLInputElement> | undefined
}

/** 写真を追加: camera or library, always last. */
export function AddPhoto({ accept, onFiles, onOpen, disabled, describedBy, ref }: AddPhotoProps) {
  const { t } = useLingui()
  return (
    <label className={styles.add}>
      <input
        ref={ref}
        type="file"
        className="vh"
        multiple
        accept={accept}
        disabled={disabled}
        aria-describedby={describedBy}
        onClick={onOpen}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <Icon as={Camera} />
      {t`写真を追加`}
    </label>
  )
}
