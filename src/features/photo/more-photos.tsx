import { useLingui } from '@lingui/react/macro'
import { Button } from '#ui/controls/button.tsx'

/** What is not shown of a record with very many photos, and the way to it. */
export function MorePhotos({ rest, onMore }: { rest: number; onMore: () => void }) {
  const { t } = useLingui()
  if (rest === 0) return null
  return <Button onClick={onMore}>{t`ほかの写真を表示（残り${rest}枚）`}</Button>
}
