import { useLingui } from '@lingui/react/macro'
import { Camera, CircleX, ImagePlus, Presentation, RotateCw, Trash2, type LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Icon, cx, wrapper } from '#ui/base/icon.tsx'
import { SendStateBadge, type SendStateName } from '#ui/feedback/send-state.tsx'
import styles from './photo.module.css'

/** Length of a file name's ending that tells photos apart. Example: 20261120091204118.jpg. */
const NAME_END = 21
const ACT = cx(styles.act, 'ring-in')
export const PhotoList = wrapper('ul', styles.photos)

interface PhotoCardProps {
  src?: string | undefined
  n: number
  onOpen: () => void
  name: string
  /** `done` is shown as 送信済. `draft`: the form with the photo is not saved yet. */
  state: SendStateName
  takenAt: string
  takenFrom?: string | undefined
  /** Example: 35.6491, 139.8083. If undefined, the card shows 確認中 while `isPlacing`, otherwise なし. */
  position?: string | undefined
  positionFrom?: string | undefined
  isPlacing?: boolean | undefined
  onDelete?: (() => void) | undefined
  onMark?: (() => void) | undefined
  error?: string | undefined
  onRetry?: (() => void) | undefined
}

/** A card with one photo: send state, end of the file name, 撮影日時, 位置情報 and 削除. */
export function PhotoCard(props: PhotoCardProps) {
  const { src, n, onOpen, name, state, takenAt, takenFrom, position, positionFrom, isPlacing } = props
  const { onDelete, onMark, error, onRetry } = props
  const { t } = useLingui()
  return (
    <li className={cx(styles.photo, error !== undefined && styles.failed)}>
      <button type="button" className={styles.open} aria-label={t`写真${n}を開く`} onClick={onOpen}>
        {src !== undefined && <img className={styles.image} src={src} alt="" decoding="async" />}
      </button>
      <div className={styles.body}>
        <SendStateBadge state={state} label={state === 'done' ? t`送信済` : undefined} />
        <PhotoName name={name} />
        <PhotoFact from={takenFrom}>{t`撮影日時 ${takenAt}`}</PhotoFact>
        <PhotoFact from={position && positionFrom}>
          {position !== undefined && t`位置情報 ${position}`}
          {position === undefined && (isPlacing ? t`位置情報 確認中` : t`位置情報 なし`)}
        </PhotoFact>
      </div>
      <div>
        {onDelete && (
          <button type="button" className={ACT} aria-label={t`${name}を削除`} onClick={onDelete}>
            <Icon as={Trash2} />
            {t`削除`}
          </button>
        )}
        {onMark && (
          <button type="button" className={ACT} aria-label={t`${name}に黒板・書き込み`} onClick={onMark}>
            <Icon as={Presentation} />
            {t`黒板`}
          </button>
        )}
      </div>
      {error !== undefined && (
        <div className={styles.error}>
          <Icon as={CircleX} />
          <span>{error}</span>
          {onRetry && (
            <button type="button" className="ring-in" onClick={onRetry}>
              <Icon as={RotateCw} />
              {t`再送`}
            </button>
          )}
        </div>
      )}
    </li>
  )
}

/** A card for a picked file that is being read. It shows the thumbnail embedded in the file, if any. */
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
          <SendStateBadge state="sending" label={t`読み込み中`} />
        </output>
        <PhotoName name={name} />
      </div>
    </li>
  )
}

const PhotoName = ({ name }: { name: string }) => (
  <span className={`${styles.name} num`} title={name}>
    <span aria-hidden="true">{name.length > NAME_END ? `…${name.slice(-NAME_END)}` : name}</span>
    <span className="vh">{name}</span>
  </span>
)

/** A line below the cards about photos that are not shown. */
export const PhotoRest = ({ children }: { children: ReactNode }) => (
  <p>
    <output>{children}</output>
  </p>
)

export const PhotoFact = ({ from, children }: { from: string | undefined; children: ReactNode }) => (
  <span className={styles.fact}>
    <span>{children}</span>
    {from !== undefined && <span>{`（${from}）`}</span>}
  </span>
)

interface AddPhotoProps {
  icon?: LucideIcon
  label?: string
  accept: string
  onFiles: (files: File[]) => void
  onOpen?: (() => void) | undefined
  disabled?: boolean | undefined
  isOne?: boolean
  describedBy?: string | undefined
  /** Ref of the file input, which gets the focus when a card is deleted. */
  ref?: Ref<HTMLInputElement> | undefined
}

export const AddPhotos = wrapper('div', styles.adds)

/** The button カメラで撮影, which opens the camera in the page. */
export function TakePhotos({ onClick }: { onClick: () => void }) {
  const { t } = useLingui()
  return (
    <button type="button" className={styles.add} onClick={onClick}>
      <Icon as={Camera} />
      {t`カメラで撮影`}
    </button>
  )
}

/** The button 写真を追加, which opens the camera app or photo library. */
export function AddPhoto({ icon = ImagePlus, label, isOne = false, ...props }: AddPhotoProps) {
  const { accept, onFiles, onOpen, disabled, describedBy, ref } = props
  const { t } = useLingui()
  return (
    <label className={styles.add}>
      <input
        ref={ref}
        type="file"
        className="vh"
        multiple={!isOne}
        accept={accept}
        disabled={disabled}
        aria-describedby={describedBy}
        onClick={onOpen}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <Icon as={icon} />
      {label ?? t`写真を追加`}
    </label>
  )
}
