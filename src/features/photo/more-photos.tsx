/** Parts of photo lists: the button for photos after the first few, and the line about photos that were not read yet. */
import { useLingui } from '@lingui/react/macro'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { Absence } from '#data/fetch-requests/interests.ts'
import { useAskAgain } from '#data/context/use-refresh.ts'
import { Button } from '#ui/controls/button.tsx'
import { PhotoRest } from '#ui/photo/photo.tsx'

/** Number of photos shown at first. More would slow the screen down, because each is read or fetched, and decoded. */
const SHOWN_AT_FIRST = 30

/** Returns the first photos of a long list. Each call of `more` adds SHOWN_AT_FIRST. */
export function useShownFirst<T>(photos: readonly T[]) {
  const [most, setMost] = useState(SHOWN_AT_FIRST)
  return {
    shown: photos.slice(0, most),
    rest: Math.max(0, photos.length - most),
    more: () => setMost(most + SHOWN_AT_FIRST),
  }
}

export function MorePhotos({ rest, onMore }: { rest: number; onMore: () => void }) {
  const { t } = useLingui()
  if (rest === 0) return null
  return <Button onClick={onMore}>{t`ほかの写真を表示（残り${rest}枚）`}</Button>
}

/**
 * A line that says that the record may have more photos.
 * @param rest why photos are missing; null if none is missing
 */
export function MissingPhotos({ rest }: { rest: Absence | null }) {
  const { t } = useLingui()
  if (rest === null) return null
  const texts = {
    reading: t`登録済の写真を読み込み中`,
    absent: t`登録済の写真は、電波の届く場所で開くと読み込みます`,
    failed: t`登録済の写真を読み込めませんでした`,
  }
  return (
    <>
      <PhotoRest>{texts[rest]}</PhotoRest>
      {rest === 'failed' && <Again />}
    </>
  )
}

/** The button 再読み込み. It reads the photos again without closing the form. */
function Again() {
  const { t } = useLingui()
  return <Button icon={RotateCw} onClick={useAskAgain()}>{t`再読み込み`}</Button>
}
