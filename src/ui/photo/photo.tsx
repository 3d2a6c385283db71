import { useLingui } from '@lingui/react/macro'
import { ImagePlus, type LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Icon, wrapper } from '#ui/base/icon.tsx'
import styles from './photo.module.css'

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
