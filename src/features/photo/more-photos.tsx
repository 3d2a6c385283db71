import { useLingui } from '@lingui/react/macro'
import { Button } from '#ui/controls/button.tsx'

/** Says how many photos of a record are not shown, and shows more on a press. */
export function MorePhotos({ rest, onMore }: { rest: number; onMore: () => void }) {
  const { t } = useLingui()
  if (rest === 0) return null
  return <Button onClick={onMore}>{t`ほかの写真を表示（残り${rest}枚）`}</Button>
}
