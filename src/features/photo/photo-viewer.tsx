import { useLingui } from '@lingui/react/macro'
import { PhotoFact } from '#ui/photo/photo.tsx'
import { Slide, Viewer } from '#ui/photo/viewer.tsx'
import { urlOf, usePhotoFacts, usePhotoSource, type ShownPhoto } from './shown-photo.ts'

interface PhotoViewerProps {
  photos: readonly ShownPhoto[]
  /** Counted from 0. */
  index: number
  onIndex: (index: number) => void
  onClose: () => void
}

/** The photo viewer with the time, position and file name of the shown photo. */
export function PhotoViewer({ photos, index, onIndex, onClose }: PhotoViewerProps) {
  const photo = photos[index]
  return (
    <Viewer
      count={photos.length}
      index={index}
      onIndex={onIndex}
      onClose={onClose}
      slide={(n) => photos[n] && <PhotoSlide key={photos[n].key} photo={photos[n]} n={n + 1} />}
    >
      {photo && <Facts photo={photo} />}
    </Viewer>
  )
}

function PhotoSlide({ photo, n }: { photo: ShownPhoto; n: number }) {
  const { t } = useLingui()
  const source = usePhotoSource(photo, 'whole')
  const instead = {
    shown: '',
    reading: t`読み込み中`,
    absent: photo.hasFailed ? t`写真を取得できませんでした` : t`写真は端末に保存されていません`,
    broken: t`この写真は表示できません`,
  }
  return <Slide src={urlOf(source)} alt={t`写真${n}`} instead={instead[source.state]} />
}

function Facts({ photo }: { photo: ShownPhoto }) {
  const { t } = useLingui()
  const { takenAt, takenFrom, position, positionFrom } = usePhotoFacts(photo)
  return (
    <>
      {takenAt !== undefined && <PhotoFact from={takenFrom}>{t`撮影日時 ${takenAt}`}</PhotoFact>}
      {position !== undefined && <PhotoFact from={positionFrom}>{t`位置情報 ${position}`}</PhotoFact>}
      <span>{photo.name}</span>
    </>
  )
}
