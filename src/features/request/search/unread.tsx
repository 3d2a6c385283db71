import { useLingui } from '@lingui/react/macro'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import { useLater } from '#ui/base/use-later.ts'
import type { UnreadDays } from './use-unread.ts'

/** After this many ms a text says that the response is slow. */
const SOON_MS = 5_000

interface UnreadProps {
  unread: UnreadDays
  onRetry: () => void
  /** True while the CRM is being asked. */
  busy: boolean
  /** Buttons for other actions. */
  children: ReactNode
}

/** Replaces a list that was not read, or not for a day. It never claims that there are no results. */
export function Unread({ unread: { state, isOld }, onRetry, busy, children }: UnreadProps) {
  const { t } = useLingui()
  const isSlow = useLater(SOON_MS)
  if (state === 'looking' || (state === 'reading' && !isSlow)) return <ListSkeleton />
  const again = (
    <Button variant="primary" icon={RotateCw} busy={busy} onClick={onRetry}>
      {t`再読み込み`}
    </Button>
  )
  if (state === 'reading')
    return (
      <Empty
        art="device"
        heading={t`読み込み中`}
        advice={t`依頼がまだ届いていません。届くとここに表示します。`}
      >
        {again}
        {children}
      </Empty>
    )
  if (state === 'failed')
    return (
      <Empty
        art="error"
        heading={t`読み込めませんでした`}
        advice={t`電波の届く場所で、もう一度お試しください。保存済の依頼はそのまま開けます。`}
        alert
      >
        {again}
        {children}
      </Empty>
    )
  const old = t`最後に確認してから24時間が過ぎた依頼は表示しません。電波の届く場所で開くと、もう一度読み込みます。`
  return (
    <Empty
      art="device"
      heading={t`端末に保存されていません`}
      advice={isOld ? old : t`電波の届く場所で開くと、端末に保存されます。`}
    >
      {children}
    </Empty>
  )
}
