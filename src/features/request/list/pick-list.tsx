import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { ClipboardCheck, LogIn } from 'lucide-react'
import { type ComponentProps, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { useServices } from '#data/context/app-context.tsx'
import { useVisitsOfKeys } from '#data/visits/use-visits.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { Button } from '#ui/controls/button.tsx'
import { Summary } from '#ui/layout/layout.tsx'
import { usePopup } from '#ui/popup/use-popup.ts'
import { groupState, type GroupState, whyNotSelectable } from './group.ts'
import { LazyEntrySheet } from './lazy-popups.ts'
import { SearchResults } from './search-results.tsx'
import { useSearch } from '#features/request/search/use-search.ts'
import { useStopSelecting } from './use-select-mode.ts'
import type { Picking } from './visit-item.tsx'

/** The screen まとめて登録: the list with a checkbox for each visit. */
export function PickList() {
  const { t } = useLingui()
  const { Frame } = useServices()
  const found = useSearch()
  const popup = usePopup('bulk-entry')
  const { picking, group, stop, setSaving } = usePicking(found.list, popup.isOpen)
  return (
    <Frame title={t`依頼検索`} footer={<PickBar group={group} onEntry={popup.open} onStop={stop} />}>
      <Summary title={t`まとめて登録`}>{t`作業日と現場が同じ依頼をまとめられます。`}</Summary>
      <SearchResults {...found} nothingYet={false} currentKey={undefined} picking={picking} />
      <Suspense>
        {popup.isOpen && group.kind === 'entry' && (
          <BulkEntrySheet
            keys={group.visits.map(({ request }) => request.key)}
            onClose={popup.close}
            onSaving={setSaving}
            onSaved={stop}
          />
        )}
      </Suspense>
    </Frame>
  )
}

type BulkEntrySheetProps = Omit<ComponentProps<typeof LazyEntrySheet>, 'heading' | 'visits'> & {
  keys: readonly string[]
}

/** The popup 入館一括登録. It opens once the selected visits are read from the device. */
function BulkEntrySheet({ keys, ...props }: BulkEntrySheetProps) {
  const { t } = useLingui()
  const visits = useVisitsOfKeys(keys)
  return visits && <LazyEntrySheet {...props} heading={t`入館一括登録`} visits={visits} />
}

/** Returns the selection. If the visits can no longer be registered together, 依頼検索 opens with the message ec00029. */
function usePicking(list: VisitList | undefined, popupOpen: boolean) {
  const { i18n } = useLingui()
  const { flash } = useServices()
  const stopSelecting = useStopSelecting()
  const [keys, setKeys] = useState<readonly string[]>([])
  // True while this screen saves. Its own entries must not end the selection with ec00029.
  const [isSaving, setSaving] = useState(false)
  const chosen = useMemo(
    () => list?.rows.filter(({ key }) => keys.includes(key)).map(list.visitOf) ?? [],
    [list, keys],
  )
  const group = groupState(chosen, list ? keys : [])
  const stop = () => stopSelecting(popupOpen)
  const leaveBroken = useEffectEvent(() => {
    flash.show('danger', messageText(i18n, 'ec00029'))
    stop()
  })
  const broken = group.kind === 'broken'
  useEffect(() => {
    if (broken && !isSaving) leaveBroken()
  }, [broken, isSaving])
  const first = chosen.find(({ request }) => request.key === keys[0])
  const picking: Picking = {
    isChosen: ({ request }) => keys.includes(request.key),
    whyNotSelectable: (visit) => whyNotSelectable(visit, first),
    toggle: ({ request: { key } }, on) =>
      setKeys((before) => (on ? [...before, key] : before.filter((each) => each !== key))),
  }
  return { picking, group, stop, setSaving }
}

/** The action bar: the number of selected visits, やめる, and the button that registers them. */
function PickBar({ group, onEntry, onStop }: { group: GroupState; onEntry: () => void; onStop: () => void }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const visits = 'visits' in group ? group.visits : []
  const count = visits.length
  const goToReport = () => {
    const [quickReportId = '', ...others] = visits.map(({ report, request }) => report?.id ?? request.key)
    const search = others.length > 0 ? { other: others.join(',') } : {}
    void navigate({ to: '/quickReport/add/$quickReportId', params: { quickReportId }, search, replace: true })
  }
  return (
    <ActionBar status={t`${count}件を選択中`} label={t`まとめて登録`}>
      <Button tall narrow onClick={onStop}>{t`やめる`}</Button>
      {group.kind === 'entry' && (
        <Button variant="primary" icon={LogIn} onClick={onEntry}>{t`入館一括登録`}</Button>
      )}
      {group.kind === 'exit' && (
        <Button variant="primary" icon={ClipboardCheck} onClick={goToReport}>
          {t`退館報告`}
        </Button>
      )}
      {count === 0 && (
        <Button variant="primary" disabled>
          {t`依頼を選択`}
        </Button>
      )}
    </ActionBar>
  )
}
