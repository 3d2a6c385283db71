import { useLingui } from '@lingui/react/macro'
import { RotateCw } from 'lucide-react'
import type { Absence } from '#data/fetch-requests/list-state.ts'
import { useAskAgain } from '#data/context/use-refresh.ts'
import { Button } from '#ui/controls/button.tsx'
import { PhotoRest } from '#ui/photo/photo.tsx'

/** Says that the record may have photos that are not shown, until they have been read. */
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

/** Reads the photos again without closing the form. */
function Again() {
  const { t } = useLingui()
  return <Button icon={RotateCw} onClick={useAskAgain()}>{t`再読み込み`}</Button>
}
