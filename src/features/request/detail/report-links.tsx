import { useLingui } from '@lingui/react/macro'
import { FileText, History, Info, StickyNote } from 'lucide-react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { Button } from '#ui/controls/button.tsx'
import { LinkList, PathStatus } from '#ui/controls/links.tsx'
import { Pad, PairBar } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'
import { useOpenPopup, Popup } from '#ui/popup/use-popup.ts'
import { Sheet } from '#ui/popup/sheet.tsx'
import { notesPath } from '#features/request-form/notes-path.ts'
import { useRequestNotes } from '#data/resources/note-location-area-count.ts'
import { useDetailAbsence } from '#data/context/use-fetched-record.ts'
import { useMissingWords } from '#features/request-form/list-load-state.tsx'

/** The buttons 過去報告, 現場メモ一覧 and 作業報告書. */
export function ReportLinks({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const { count } = useRequestNotes(request)
  const devices = request.detail?.devices ?? []
  const absence = useDetailAbsence(request)
  const words = useMissingWords()
  // The route renders the popup, because features do not import each other.
  const openReport = useOpenPopup('report')
  return (
    <>
      <PairBar>
        <PastReports request={request} />
        <PathButton path={notesPath(request)} icon={StickyNote}>{t`現場メモ一覧（${count}）`}</PathButton>
        <Button icon={FileText} aria-haspopup="dialog" onClick={openReport}>{t`作業報告書`}</Button>
      </PairBar>
      {devices.length === 0 && (
        <Pad>
          <Mark icon={Info}>
            {absence ? t`過去報告：${words[absence]}` : t`対象の機器がないため、過去報告はありません`}
          </Mark>
        </Pad>
      )}
    </>
  )
}

const reportPath = (deviceId: string) => `/report/${encodeURIComponent(deviceId)}`

/** The button 過去報告. If the request has several machines, a popup lets the user choose one. */
function PastReports({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const open = useOpenPopup('device')
  const devices = request.detail?.devices ?? []
  const [first, second] = devices
  if (!first) return null
  if (!second) return <PathButton path={reportPath(first.deviceId)} icon={History}>{t`過去報告`}</PathButton>
  return (
    <>
      <Button icon={History} aria-haspopup="dialog" onClick={open}>{t`過去報告`}</Button>
      <Popup name="device">
        {(close) => (
          <Sheet heading={t`過去報告`} onClose={close}>
            <LinkList>
              {devices.map(({ deviceId, deviceModel, site1, site2 }) => (
                <li key={deviceId}>
                  <PathStatus
                    path={reportPath(deviceId)}
                    name={deviceModel ?? deviceId}
                    note={[site1, site2].filter(Boolean).join(' ') || undefined}
                    status="done"
                    word={t`見る`}
                  />
                </li>
              ))}
            </LinkList>
          </Sheet>
        )}
      </Popup>
    </>
  )
}
