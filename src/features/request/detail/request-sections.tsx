import { useLingui } from '@lingui/react/macro'
import { FileText, History, Info, StickyNote } from 'lucide-react'
import { useId } from 'react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useOnline, useLiveQuery } from '#data/context/app-context.tsx'
import { isOffered } from '#data/changes/offline-policy.ts'
import { goodsFacts } from '#data/visits/request-facts.ts'
import { useChangeRequestsOf } from '#data/resources/change-requests.ts'
import { Button } from '#ui/controls/button.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { Pad, PairBar } from '#ui/layout/layout.tsx'
import { Popup, useOpenPopup } from '#ui/popup/use-popup.ts'
import { Sheet } from '#ui/popup/sheet.tsx'
import { LinkList, PathStatus, StatusRow } from '#ui/controls/links.tsx'
import { GoodsTables } from '#ui/request/request-facts.tsx'
import { Section, SectionHead } from '#ui/layout/section.tsx'
import { statusLinks, type StatusTarget } from './status-links.ts'
import { useRequestNotes } from '#data/resources/note-location-area-count.ts'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'
import { useDetailAbsence } from '#data/context/use-fetched-record.ts'
import { useMissingTexts, useMissingWords } from '#features/request-form/list-load-state.tsx'
import { outboxQuery } from '#data/visits/first-queries.ts'
import { notesPath } from '#features/request-form/notes-path.ts'
import { jobName } from '#features/request-form/job-name.ts'

interface SectionProps {
  request: RequestRecord
}

const LINKED = ['customerLocationChangeRequest', 'locationContactChangeRequest', 'noteLocationArea'] as const

/** The section 変更依頼・現場メモ: links with the status of each registration. */
export function ChangeSection({ request }: SectionProps) {
  const { t } = useLingui()
  const online = useOnline()
  const links = statusLinks(request, online, {
    customerLocation: useChangeRequestsOf('customerLocationChangeRequests', request.id),
    contacts: useChangeRequestsOf('locationContactChangeRequests', request.id),
    notes: useRequestNotes(request),
  })
  const isBarred = LINKED.some((slug) => !isOffered(slug, 'add', online))
  const reason = t`オフライン中は登録・編集できません`
  const id = useId()
  const noIn = request.inLocationContact ? undefined : t`依頼に入館連絡先がありません`
  const noOut = request.outLocationContact ? undefined : t`依頼に退館連絡先がありません`
  return (
    <>
      <SectionHead noteId={id} note={isBarred ? reason : undefined}>
        {t`変更依頼・現場メモ`}
      </SectionHead>
      <LinkList>
        <StatusItem reasonId={id} name={t`入館・駐車場情報変更依頼`} target={links.customerLocation} />
        <StatusItem reasonId={id} name={t`入館連絡先変更依頼`} target={links.inContact} why={noIn} />
        <StatusItem reasonId={id} name={t`退館連絡先変更依頼`} target={links.outContact} why={noOut} />
        <StatusItem reasonId={id} name={t`現場メモ`} target={links.note} />
      </LinkList>
    </>
  )
}

interface StatusItemProps {
  name: string
  target: StatusTarget
  why?: string | undefined
  reasonId: string
}

function StatusItem({ name, target: { status, path, closed, unsent }, why, reasonId }: StatusItemProps) {
  const words = useSendStateWords()
  const note = status === 'barred' ? why : unsent ? words[unsent] : undefined
  return (
    <li>
      {path === null ? (
        <StatusRow name={name} status={status} note={note} closedBy={closed && reasonId} />
      ) : (
        <PathStatus path={path} name={name} status={status} note={note} />
      )}
    </li>
  )
}

/** The section 商品: the machines and their parts. */
export function GoodsSection({ request }: SectionProps) {
  const { t } = useLingui()
  const goods = goodsFacts(request)
  const absence = useDetailAbsence(request)
  const texts = useMissingTexts()
  return (
    <>
      <SectionHead>{t`商品`}</SectionHead>
      {goods === null && <Pad>{texts[absence ?? 'reading']}</Pad>}
      {goods?.length === 0 && <Pad>{t`なし`}</Pad>}
      {goods && <GoodsTables goods={goods} />}
    </>
  )
}

/** The section 入力途中: links to this request's forms with unsaved input. */
export function DraftLinks({ request: { id, key } }: SectionProps) {
  const { t, i18n } = useLingui()
  const drafts = useLiveQuery(outboxQuery.key, outboxQuery.query)?.drafts ?? []
  const own = drafts.filter(({ requests }) => requests.includes(id) || requests.includes(key))
  if (own.length === 0) return null
  return (
    <Section heading={t`入力途中`}>
      <LinkList>
        {own.map((form) => (
          <li key={form.path}>
            <PathStatus
              path={form.path}
              name={jobName(i18n, form, form.requests.length)}
              status="draft"
              word={t`続きを入力`}
            />
          </li>
        ))}
      </LinkList>
    </Section>
  )
}

/** The buttons 過去報告, 現場メモ一覧 and 作業報告書. */
export function ReportLinks({ request }: SectionProps) {
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
function PastReports({ request }: SectionProps) {
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
