import { useLingui } from '@lingui/react/macro'
import type { QueueItem } from '#schemas/change-queue.ts'
import { ConfirmSheet } from '#ui/confirm-sheet.tsx'
import { jobName, nameable } from './job-texts.ts'
import { dependentsOf } from './jobs.ts'

interface DiscardSheetProps {
  /** One change, or the photos of one record. */
  items: readonly QueueItem[]
  queue: readonly QueueItem[]
  onYes: () => void
  onNo: () => void
}

/** 破棄 is the only way a change dies unsent: it is always asked, and says what dies along. */
export function DiscardSheet({ items, queue, onYes, onNo }: DiscardSheetProps) {
  const { t, i18n } = useLingui()
  const dependents = items.flatMap((item) => dependentsOf(item, queue))
  const names = dependents.map((item) => jobName(i18n, nameable(item))).join(t`、`)
  return (
    <ConfirmSheet
      question={t`この変更を破棄しますか？送信されていない内容は元に戻せません。`}
      destructive
      onYes={onYes}
      onNo={onNo}
    >
      {dependents.length > 0 && <p>{t`この変更の送信を待っている${names}も破棄されます。`}</p>}
    </ConfirmSheet>
  )
}
