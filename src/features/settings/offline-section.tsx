import { useLingui } from '@lingui/react/macro'
import { RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useOnline, useUserData } from '#data/context/app-context.tsx'
import { useToday } from '#data/context/use-now.ts'
import { bytesText } from '#lib/bytes-text.ts'
import { shortStampText, timeText } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Section } from '#ui/layout/section.tsx'
import { useRefresh } from '#data/context/use-refresh.ts'
import { map } from 'rxjs'
import type { Database } from '#data/database/database.ts'
import { visitList$ } from '#data/visits/visits.ts'
import { readStorageFacts, type StorageFacts } from '#lib/browser/storage-full.ts'
import { useAnswer } from './use-answer.ts'

/** オフライン保存: what is stored on the device, its size, and whether the browser may delete it. */
export function OfflineSection({ stored, facts }: StoredProps & { facts: DeviceFacts }) {
  const { t } = useLingui()
  return (
    <Section heading={t`オフライン保存`}>
      <Defs>
        <Def label={t`状態`}>
          <StoredState stored={stored} />
        </Def>
        <StorageRows facts={facts} />
        <SentPhotosRow size={facts.sentPhotos} />
      </Defs>
      <RefreshButton />
    </Section>
  )
}

function StorageRows({ facts: { used, free, persisted } }: { facts: DeviceFacts }) {
  const { t } = useLingui()
  const rest = free === null ? '' : bytesText(free)
  return (
    <>
      {used !== null && (
        <Def label={t`使用容量`}>
          <span className="num">{bytesText(used)}</span>
          {rest !== '' && <small className="num">{t`空き ${rest}`}</small>}
        </Def>
      )}
      {persisted !== null && (
        <Def label={t`保存の保護`}>
          {persisted ? t`あり` : t`なし`}
          <small>
            {persisted
              ? t`端末の空きが減っても、保存した内容は自動で消されません。`
              : t`端末の空きがとても少なくなると、保存した内容が消されることがあります。ホーム画面に追加すると、消されにくくなります。`}
          </small>
        </Def>
      )}
    </>
  )
}

/** The size of the sent photos, and a button that deletes them from the device. They are fetched again when viewed. */
function SentPhotosRow({ size }: { size: number }) {
  const { t } = useLingui()
  const bytes = useUserData()?.bytes
  const [isCleared, setCleared] = useState(false)
  if (!bytes || size === 0) return null
  const clear = async () => {
    await bytes.dropCached()
    setCleared(true)
  }
  return (
    <Def label={t`送信済の写真`}>
      <span className="num">{bytesText(isCleared ? 0 : size)}</span>
      <small>{t`端末から消しても、写真はCRMに残ります。`}</small>
      <Button icon={Trash2} disabled={isCleared} onClick={() => void clear()}>
        {t`送信済の写真を端末から消す`}
      </Button>
    </Def>
  )
}

function StoredState({ stored }: StoredProps) {
  const { t } = useLingui()
  const { count = 0, whole = 0, confirmedAt = null } = stored ?? {}
  const time = shortStampText(confirmedAt, useToday())
  const text = time === '' ? t`依頼 ${count}件` : t`依頼 ${count}件・最終更新 ${time}`
  const saved = whole === count ? t`保存済` : t`一部保存済`
  return (
    <>
      {count > 0 ? saved : stored ? t`まだ保存されていません` : t`確認中`}
      <small className="num">{count > 0 ? text : '\u00A0'}</small>
    </>
  )
}

function RefreshButton() {
  const { t } = useLingui()
  const online = useOnline()
  const { busy, failed, answeredAt, refresh } = useRefresh()
  const time = timeText(answeredAt)
  const answer = () => {
    if (!online) return t`電波が戻ると更新できます。`
    if (busy) return t`更新しています…`
    if (failed) return t`更新できませんでした。しばらくしてからもう一度お試しください。`
    return time === '' ? '' : t`更新しました ${time}`
  }
  return (
    <Pad>
      <Button tall wide icon={RefreshCw} busy={busy && online} disabled={!online} onClick={refresh}>
        {t`データを今すぐ更新`}
      </Button>
      {/* The element is rendered before it has a text. Otherwise screen readers would not announce the text, and the
          content below would move. */}
      <p>
        <output>{answer() || '\u00A0'}</output>
      </p>
    </Pad>
  )
}

interface DeviceFacts extends StorageFacts {
  sentPhotos: number
}

/** The facts on a browser that reports nothing about its storage. */
export const UNKNOWN_FACTS: DeviceFacts = { used: null, free: null, persisted: null, sentPhotos: 0 }

/** Returns the facts about this device's storage; null until they are read. They are read again when `version` changes. */
export function useStorageFacts(version: string | null | undefined): DeviceFacts | null {
  const bytes = useUserData()?.bytes
  return useAnswer(`${version} ${bytes !== undefined}`, async () => {
    const storage = await readStorageFacts(navigator.storage).catch(() => UNKNOWN_FACTS)
    return { ...storage, sentPhotos: (await bytes?.cachedBytes().catch(() => 0)) ?? 0 }
  })
}

interface StoredProps {
  stored: StoredRequests | undefined
}

interface StoredRequests {
  count: number
  /** Number of requests with the mark オフラインで使えます (sync RULES PL4). */
  whole: number
  /** Time of the CRM's last confirmation of any of these requests, ISO 8601; null if there was none. */
  confirmedAt: string | null
}

/** Emits how many requests are on the device, and when the CRM confirmed them. */
export const storedRequests$ = (db: Database) =>
  visitList$(db).pipe(
    map(({ rows, isUsable }): StoredRequests => ({
      count: rows.length,
      whole: rows.filter(isUsable).length,
      confirmedAt: rows.reduce((last, row) => (row.confirmedAt > last ? row.confirmedAt : last), '') || null,
    })),
  )
