import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { PhotoFact } from '#ui/photo/photo.tsx'
import { Slide, Viewer } from '#ui/photo/viewer.tsx'
import { urlOf, usePhotoFacts, usePhotoSource, type ShownPhoto } from './shown-photo.ts'

type ViewerProps = Pick<ComponentProps<typeof Viewer>, 'index' | 'onIndex' | 'onClose'>

/** The photo viewer with the time, position and file name of the shown photo. */
export function PhotoViewer({ photos, ...viewer }: ViewerProps & { photos: readonly ShownPhoto[] }) {
  const photo = photos[viewer.index]
  return (
    <Viewer
      {...viewer}
      count={photos.length}
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
