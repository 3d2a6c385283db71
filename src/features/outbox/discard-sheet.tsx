import { useLingui } from '@lingui/react/macro'
import type { QueueItem } from '#schemas/change-queue.ts'
import { PHOTOS } from '#schemas/photo-queue.ts'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import { jobName, nameable } from '#features/request-form/job-name.ts'
import { discardedWith } from './jobs.ts'

interface DiscardSheetProps {
  /** One change with the photos that are discarded with it, or the photos of one record. */
  items: readonly QueueItem[]
  queue: readonly QueueItem[]
  onYes: () => void
  onNo: () => void
}

/**
 * Confirms 破棄 of changes that may have left the device or that need a decision. It cannot be undone, so it lists what
 * else is lost. Changes that never left the device are discarded at once with undo (data/discard).
 */
export function DiscardSheet({ items, queue, onYes, onNo }: DiscardSheetProps) {
  const { t, i18n } = useLingui()
  const dependents = items.flatMap((item) => discardedWith(item, queue))
  const [first, ...photos] = items
  const count = first?.record.resource === PHOTOS ? 0 : photos.length
  const names = dependents.map((item) => jobName(i18n, nameable(item))).join(t`、`)
  return (
    <ConfirmSheet
      question={t`この変更を破棄しますか？送信されていない内容は元に戻せません。`}
      destructive
      onYes={onYes}
      onNo={onNo}
    >
      {count > 0 && <p>{t`写真${count}枚も破棄されます。`}</p>}
      {dependents.length > 0 && <p>{t`この変更の送信を待っている${names}も破棄されます。`}</p>}
    </ConfirmSheet>
  )
}
