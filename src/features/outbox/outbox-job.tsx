import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { Check, RotateCw } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { SendFacts } from '#schemas/change.ts'
import { type QueueItem, type SendState, queueWait } from '#schemas/changes/change-queue.ts'
import { waitsForFiles, type PhotoProgress } from '#schemas/changes/photo-queue.ts'
import { useOnline, useSession } from '#data/context/app-context.tsx'
import { isParked } from '#data/outbox/outbox.ts'
import { useToday } from '#data/context/use-now.ts'
import { jobName, nameable } from '#features/request-form/job-name.ts'
import { shortStampText, timeOn, tokyoDay } from '#lib/time/tokyo-time.ts'
import { pushOnce } from '#ui/controls/path-link.tsx'
import { cx, Icon } from '#ui/base/icon.tsx'
import { Meter } from '#ui/controls/meter.tsx'
import styles from '#ui/feedback/queue.module.css'
import { SendStateBadge, type SendStateName } from '#ui/feedback/send-state.tsx'
import {
  jobRaw,
  jobReason,
  PHOTOS_WAIT,
  contentPath,
  savedTogether,
  isIdle,
  photosPath,
  waitForRecord,
} from './jobs.ts'

export interface JobRequest {
  requestCode: string
  locationName: string
}
/** The requests on the device, by visit key and by request id. */
export interface JobRequests {
  get(keyOrId: string): JobRequest | undefined
}

interface OutboxJobProps {
  no: number
  item: QueueItem
  queue: readonly QueueItem[]
  request: JobRequest | undefined
  /** The record's photos; undefined if a separate card shows them. */
  photos?: PhotoProgress | undefined
  onResend: () => void
  onDiscard: () => void
}

/** A card for a queued change, with the progress of its photos. */
export function OutboxJob({ no, item, queue, request, photos, onResend, onDiscard }: OutboxJobProps) {
  const { t, i18n } = useLingui()
  const photosShown = usePhotosShown(photos, queue)
  const saved = shortStampText(item.change.savedAt, useToday())
  return (
    <JobCard
      anchor={item.change.id}
      no={no}
      state={item.state}
      what={jobName(i18n, nameable(item), savedTogether(item, queue).length)}
      code={request?.requestCode ?? item.record.requestId}
      place={request?.locationName ?? ''}
      stamp={t`${saved} 保存`}
      reason={jobReason(i18n, item)}
      raw={jobRaw(item)}
      photos={photosShown}
      actions={
        isIdle(item) && (
          <Actions
            path={contentPath(item, queue)}
            onResend={isParked(item) && !item.blockedBy ? onResend : null}
            onDiscard={onDiscard}
          />
        )
      }
    />
  )
}

interface PhotosJobProps extends Pick<OutboxJobProps, 'no' | 'queue' | 'request' | 'onResend' | 'onDiscard'> {
  photos: PhotoProgress
  sent: SendFacts | undefined
}

/** A card for the unsent photos of a record, usually of a record that is already sent. */
export function PhotosJob({ no, photos, queue, sent, request, onResend, onDiscard }: PhotosJobProps) {
  const { t, i18n } = useLingui()
  const photosShown = usePhotosShown(photos, queue)
  const { resource, recordKey, items } = photos
  const stuck = items.find(isParked)
  const [first] = items
  const saved = shortStampText(sent?.savedAt ?? first?.change.savedAt ?? null, useToday())
  return (
    <JobCard
      anchor={(stuck ?? first)?.change.id}
      no={no}
      state={stateOf(items)}
      what={jobName(i18n, { resource, recordKey, kind: sent?.kind ?? NAMED_AS[resource] ?? 'edit' })}
      code={request?.requestCode ?? first?.record.requestId ?? ''}
      place={request?.locationName ?? ''}
      stamp={t`${saved} 保存`}
      reason={stuck && jobReason(i18n, stuck)}
      raw={stuck && jobRaw(stuck)}
      photos={photosShown}
      actions={
        items.every(isIdle) && (
          <Actions path={photosPath(photos)} onResend={stuck ? onResend : null} onDiscard={onDiscard} />
        )
      }
    />
  )
}

interface ActionsProps {
  path: string | null
  onResend: (() => void) | null
  onDiscard: () => void
}

/** The buttons at the bottom of a card: 再送, 内容を開く, 破棄. */
function Actions({ path, onResend, onDiscard }: ActionsProps) {
  const { t } = useLingui()
  const { history } = useRouter()
  return (
    <div className={styles.actions}>
      {onResend && (
        <button type="button" className="ring-in" onClick={onResend}>
          <Icon as={RotateCw} />
          {t`再送`}
        </button>
      )}
      {path !== null && (
        <button type="button" className="ring-in" onClick={() => pushOnce(history, path)}>
          {t`内容を開く`}
        </button>
      )}
      <button type="button" className={cx('ring-in', styles.danger)} onClick={onDiscard}>
        {t`破棄`}
      </button>
    </div>
  )
}

function usePhotosShown(photos: PhotoProgress | undefined, queue: readonly QueueItem[]) {
  const { i18n } = useLingui()
  const online = useOnline()
  const isTimedOut = useSession()?.expired
  if (!photos) return undefined
  const { sent, total, items } = photos
  const obstacles = [
    ['record', waitForRecord(photos, queue)],
    ['signal', !online],
    ['login', isTimedOut],
    ['access', waitsForFiles(items)],
    ['store', queueWait(items) !== null],
  ] as const
  const [obstacle] = obstacles.find(([, isThere]) => isThere) ?? []
  const stuck = items.find(isParked)
  const isWaiting = items.some(({ state }) => state === 'waiting')
  return {
    sent,
    total,
    wait: stuck ? jobReason(i18n, stuck) : obstacle && isWaiting ? i18n._(PHOTOS_WAIT[obstacle]) : undefined,
  }
}

/** A card for photos is named after the edit of the record. 安全対策 has only the registration. */
const NAMED_AS: Partial<Record<string, string>> = { safetyMeasures: 'create' }

const WORST_FIRST: readonly SendState[] = ['failed', 'expired', 'sending']

const stateOf = (items: readonly QueueItem[]): SendState =>
  WORST_FIRST.find((state) => items.some((item) => item.state === state)) ?? 'waiting'

/** A card for a change that the CRM has accepted. */
export function SentJob({ entry, request }: { entry: SendFacts; request: JobRequest | undefined }) {
  const { t, i18n } = useLingui()
  const today = useToday()
  const saved = shortStampText(entry.savedAt, today)
  const sent = timeOn(entry.settledAt, tokyoDay(entry.savedAt), today)
  return (
    <JobCard
      state="done"
      what={jobName(i18n, entry)}
      code={request?.requestCode ?? entry.requestId}
      place={request?.locationName ?? ''}
      stamp={t`${saved} 保存・${sent} 送信`}
    />
  )
}

interface JobProps {
  anchor?: string | undefined
  no?: number | undefined
  state: SendStateName
  what: string
  code: string
  place: string
  stamp: string
  reason?: string | undefined
  raw?: readonly string[] | undefined
  /** Numbers of the record's photos. `wait`: why the unsent photos are not sent yet. */
  photos?: { sent: number; total: number; wait?: string | undefined } | undefined
  actions?: ReactNode
}

/** A card of 送信状況: a queued change, unsent photos, or a sent change. */
function JobCard(props: JobProps) {
  const { anchor, no, state, what, code, place, stamp, reason, raw = [], photos, actions } = props
  const { t } = useLingui()
  const id = useId()
  const [sent, total] = [photos?.sent ?? 0, photos?.total ?? 0]
  return (
    <>
      <span className={cx(styles.no, styles[state], 'num')} aria-hidden="true">
        {state === 'done' ? <Icon as={Check} /> : no}
      </span>
      <article
        id={anchor}
        tabIndex={anchor === undefined ? undefined : -1}
        className={cx(styles.job, styles[`job-${state}`])}
        aria-labelledby={id}
      >
        <div className={styles.top}>
          <h2 id={id}>{what}</h2>
          <SendStateBadge state={state} />
        </div>
        <p className={styles.meta}>
          <span className="num">{code}</span>　<span className="keep">{place}</span>
          <br />
          <span className="num">{stamp}</span>
        </p>
        {reason !== undefined && <p className={styles.why}>{reason}</p>}
        {raw.length > 0 && (
          <details className={styles.raw}>
            <summary>{t`CRMの回答`}</summary>
            {raw.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </details>
        )}
        {photos && (
          <div className={styles.photos}>
            <span className="num">{t`写真 ${sent} / ${total}枚 送信済`}</span>
            <Meter value={sent} max={total} />
            {photos.wait !== undefined && <p>{photos.wait}</p>}
          </div>
        )}
        {actions}
      </article>
    </>
  )
}
