import { useLingui } from '@lingui/react/macro'
import { Smartphone, RefreshCw } from 'lucide-react'
import { useId } from 'react'
import { useLiveQuery, useOnline, useServices, useValue } from '#data/app-context.tsx'
import { useToday } from '#data/use-now.ts'
import { shortStampText } from '#lib/tokyo-time.ts'
import { Button } from '#ui/button.tsx'
import { Def, Defs } from '#ui/defs.tsx'
import { Pad } from '#ui/layout.tsx'
import { SectionHead } from '#ui/section.tsx'
import { bytesText, storedRequests$, type StoredRequests, useStorageFacts } from './storage-facts.ts'
import { useRefresh } from '#data/use-refresh.ts'

/** オフライン保存: what is on the device, how much room it takes, whether the browser keeps it. */
export function OfflineSection() {
  const { t } = useLingui()
  const id = useId()
  const stored = useLiveQuery('settings-stored', storedRequests$)
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id}>{t`オフライン保存`}</SectionHead>
      <Defs>
        <Def label={t`状態`}>
          <StoredState stored={stored} />
        </Def>
        <StorageRows key={stored?.confirmedAt} />
      </Defs>
      <InstallButton />
      <RefreshButton />
    </section>
  )
}

/** Keyed by the last update: it reads the sizes anew. */
function StorageRows() {
  const { t } = useLingui()
  const facts = useStorageFacts()
  const free = facts?.free == null ? '' : bytesText(facts.free)
  return (
    <>
      {facts?.used != null && (
        <Def label={t`使用容量`}>
          <span className="num">{bytesText(facts.used)}</span>
          {free !== '' && <small className="num">{t`空き ${free}`}</small>}
        </Def>
      )}
      {facts?.persisted != null && (
        <Def label={t`保存の保護`}>
          {facts.persisted ? t`あり` : t`なし`}
          <small>
            {facts.persisted
              ? t`端末の空きが減っても、保存した内容は自動で消されません。`
              : t`端末の空きがとても少なくなると、保存した内容が消されることがあります。ホーム画面に追加すると、消されにくくなります。`}
          </small>
        </Def>
      )}
    </>
  )
}

function StoredState({ stored }: { stored: StoredRequests | undefined }) {
  const { t } = useLingui()
  const today = useToday()
  if (!stored) return t`確認中`
  const { count, whole } = stored
  const time = shortStampText(stored.confirmedAt, today)
  if (count === 0) return t`まだ保存されていません`
  return (
    <>
      {whole === count ? t`保存済` : t`一部保存済`}
      <small className="num">{time === '' ? t`依頼 ${count}件` : t`依頼 ${count}件・最終更新 ${time}`}</small>
    </>
  )
}

/** Only while the browser offers it: an installed app, and a browser that cannot, never do. */
function InstallButton() {
  const { t } = useLingui()
  const { install } = useServices()
  const isOffered = useValue(install)
  if (!isOffered) return null
  return (
    <Pad>
      <Button tall wide icon={Smartphone} onClick={() => void install.ask()}>
        {t`ホーム画面に追加`}
      </Button>
    </Pad>
  )
}

function RefreshButton() {
  const { t } = useLingui()
  const online = useOnline()
  const { busy, failed, refresh } = useRefresh()
  return (
    <Pad>
      <Button tall wide icon={RefreshCw} busy={busy && online} disabled={!online} onClick={refresh}>
        {t`データを今すぐ更新`}
      </Button>
      {!online && <p>{t`電波が戻ると更新できます。`}</p>}
      {online && failed && (
        <output>{t`更新できませんでした。しばらくしてからもう一度お試しください。`}</output>
      )}
    </Pad>
  )
}
