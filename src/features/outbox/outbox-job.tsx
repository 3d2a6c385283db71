import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { QueueItem } from '#schemas/change-queue.ts'
import { shortStampText, timeText } from '#lib/tokyo-time.ts'
import { Job, JobAction } from '#ui/queue.tsx'
import { jobName, jobReason, nameable } from './job-texts.ts'
import { contentPath, groupOf, isIdle, isParked } from './jobs.ts'

/** The request a change is for, as far as it is on the device. */
export interface JobRequest {
  requestCode: string
  locationName: string
}

interface OutboxJobProps {
  no: number
  item: QueueItem
  queue: readonly QueueItem[]
  request: JobRequest | undefined
  onResend: () => void
  onDiscard: () => void
}

/** One unsent change. */
export function OutboxJob({ no, item, queue, request, onResend, onDiscard }: OutboxJobProps) {
  const { t, i18n } = useLingui()
  const { history } = useRouter()
  const open = () => history.push(contentPath(item, queue))
  const saved = shortStampText(item.change.savedAt)
  return (
    <Job
      no={no}
      state={item.state}
      what={jobName(i18n, nameable(item), groupOf(item, queue).length)}
      code={request?.requestCode ?? item.record.requestId}
      place={request?.locationName ?? ''}
      stamp={t`${saved} 保存`}
      reason={jobReason(i18n, item)}
      actions={
        isIdle(item) && (
          <>
            {isParked(item) && <JobAction icon={RotateCw} onClick={onResend}>{t`再送`}</JobAction>}
            <JobAction onClick={open}>{t`内容を開く`}</JobAction>
            <JobAction danger onClick={onDiscard}>{t`破棄`}</JobAction>
          </>
        )
      }
    />
  )
}

/** One change the CRM has accepted. */
export function SentJob({ entry, request }: { entry: LedgerEntry; request: JobRequest | undefined }) {
  const { t, i18n } = useLingui()
  const [saved, sent] = [shortStampText(entry.savedAt), timeText(entry.settledAt)]
  return (
    <Job
      state="done"
      what={jobName(i18n, entry)}
      code={request?.requestCode ?? entry.requestId}
      place={request?.locationName ?? ''}
      stamp={t`${saved} 保存・${sent} 送信`}
    />
  )
}
