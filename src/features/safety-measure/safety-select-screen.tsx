import { useLingui } from '@lingui/react/macro'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Shield, ShieldCheck, ShieldOff } from 'lucide-react'
import { SafetyNeedFlag, SafetyType } from '#schemas/codes.ts'
import { messageText } from '#messages/messages.ts'
import { useOnline } from '#data/context/app-context.tsx'
import {
  isRegistered,
  isUnnecessary,
  type SafetyRow,
  type SafetyTypeCode,
  useSafetyRows,
} from '#data/resources/safety-measures.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import { useVisitOf } from '#data/visits/use-visits.ts'
import type { Visit } from '#data/visits/visits.ts'
import { isIsoDate, shortStampText } from '#lib/time/tokyo-time.ts'
import { shownLabel } from '#lib/language.ts'
import { RequestFormAbsent, RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { Narrow } from '#ui/layout/desk.tsx'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { ButtonLink } from '#ui/controls/button.tsx'
import { Lead } from '#ui/layout/layout.tsx'
import { LinkList, StatusButton, type LinkStatus } from '#ui/controls/links.tsx'
import { useDetailAbsence } from '#data/context/use-fetched-record.ts'
import { UnsavedNotice } from '#features/request-form/notices.tsx'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import { useToday } from '#data/context/use-now.ts'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'
import type { Absence } from '#data/fetch-requests/interests.ts'
import { useMissingWords } from '#features/request-form/list-load-state.tsx'
import { saveSafetyMeasure } from './commands.ts'

interface SelectProps {
  requestId: string
  workingDate: string | undefined
  workingDateType: string | undefined
  /** The type that the user chose on 依頼詳細. The question 要 or 不要 then opens at once. */
  safetyType?: string | undefined
}

/** The screen 安全対策選択. Without a valid `workingDate`, or without `workingDateType`, it leads to not-found (spec 2). */
export function SafetySelectScreen({ requestId, workingDate, workingDateType, ...chosen }: SelectProps) {
  if (workingDateType === undefined || workingDate === undefined || !isIsoDate(workingDate))
    return <Navigate to="/not-found" replace />
  return <Select {...{ requestId, workingDate, workingDateType }} {...chosen} />
}

function Select({ requestId, workingDate, ...chosen }: SelectProps & Omit<SelectTypesProps, 'visit'>) {
  const { t } = useLingui()
  const visit = useVisitOf(requestId, workingDate)
  if (typeof visit === 'string') return <RequestFormAbsent title={t`安全対策選択`} state={visit} />
  return <SelectTypes visit={visit} {...chosen} />
}

interface SelectTypesProps {
  visit: Visit
  workingDateType: string
  safetyType?: string | undefined
}

function SelectTypes({ visit, workingDateType, safetyType: initialType }: SelectTypesProps) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const online = useOnline()
  const { request } = visit
  const { id, workingDate } = request
  const rows = useSafetyRows(request)
  const detailAbsence = useDetailAbsence(request)
  const [questionedType, setQuestionedType] = useState(initialType)
  const unnecessary = useUnnecessary(visit)
  const canRegister = useOffered('safetyMeasure', 'add')
  const queued = t`電波がなくても登録できます。端末に保存して後で送信します`
  const hint = online ? undefined : canRegister ? queued : t`オフライン中は登録・編集できません`
  const questioned = canRegister
    ? rows?.find((row) => row.type === questionedType && !registeredIn(row))
    : undefined
  const close = () => setQuestionedType(undefined)
  const open = (row: SafetyRow) => {
    const measure = registeredIn(row)
    if (measure) return void navigate({ to: '/safetyMeasure/$id', params: { id: measure.id } })
    setQuestionedType(row.type)
  }
  const add = (safetyType: SafetyTypeCode) =>
    navigate({
      to: '/safetyMeasure/add',
      search: { requestId: id, safetyType, workingDate, ...(workingDateType && { workingDateType }) },
      // If the user chose the type on 依頼詳細, the form replaces this screen, so that the back button returns to 依頼詳細.
      replace: safetyType === initialType,
    })
  const back = { params: { id }, search: { workingDate } }
  return (
    <RequestFormFrame
      title={t`安全対策選択`}
      back={<BackLink to="/request/$id" {...back} />}
      request={request}
      footer={
        <ActionBar hint={hint}>
          <ButtonLink to="/request/$id" {...back} tall wide>{t`依頼詳細へ戻る`}</ButtonLink>
        </ActionBar>
      }
    >
      <Narrow>
        <Lead>{t`必要な対策を1つずつ登録してください。`}</Lead>
        <LinkList>
          {rows?.map((row) => (
            <TypeRow key={row.type} row={row} detailAbsence={detailAbsence} onOpen={() => open(row)} />
          ))}
        </LinkList>
      </Narrow>
      {questioned && (
        <NeedSheet
          type={questioned.type}
          onNeeded={() => void add(questioned.type)}
          onUnnecessary={() => unnecessary(questioned.type, close)}
          onClose={close}
        />
      )}
    </RequestFormFrame>
  )
}

const registeredIn = ({ measure }: SafetyRow) => (measure && isRegistered(measure) ? measure : null)

function useUnnecessary({ request }: Visit) {
  const { i18n } = useLingui()
  const submit = useSave('safetyMeasure', 'add')
  return (type: SafetyTypeCode, leave: () => void) =>
    submit({
      async write(saver) {
        const saved = await saveSafetyMeasure(saver, request, type, SafetyNeedFlag.code.unnecessary)
        return saved === 'registered' ? messageText(i18n, 'ec00027') : undefined
      },
      leave,
    })
}

interface NeedSheetProps {
  type: SafetyTypeCode
  onNeeded: () => void
  onUnnecessary: () => Promise<unknown>
  /** Called if the user closes the question without an answer. Closing must be possible, because 不要 cannot be undone. */
  onClose: () => void
}

function NeedSheet({ type, onNeeded, onUnnecessary, onClose }: NeedSheetProps) {
  const { t, i18n } = useLingui()
  const [busy, setBusy] = useState(false)
  const unnecessary = async () => {
    if (busy) return
    setBusy(true)
    await onUnnecessary().finally(() => setBusy(false))
  }
  return (
    <ConfirmSheet
      question={messageText(i18n, 'ec00028', { name: shownLabel(SafetyType.label(type)) })}
      yes={t`要`}
      no={t`不要`}
      busy={busy}
      notice={<UnsavedNotice />}
      onYes={onNeeded}
      onNo={() => void unnecessary()}
      onClose={onClose}
    >
      <p>{t`不要と登録すると、あとから変更できません。`}</p>
    </ConfirmSheet>
  )
}

const ICONS = { unknown: Shield, todo: Shield, done: ShieldCheck, barred: ShieldOff } as const

function statusOf(row: SafetyRow): Exclude<LinkStatus, 'draft'> {
  const registered = registeredIn(row)
  if (row.isUnknown) return 'unknown'
  if (!registered) return 'todo'
  return isUnnecessary(registered) ? 'barred' : 'done'
}

interface TypeRowProps {
  row: SafetyRow
  detailAbsence: Absence | null
  onOpen: () => void
}

function TypeRow({ row, detailAbsence, onOpen }: TypeRowProps) {
  const { t } = useLingui()
  const today = useToday()
  const sendStateWords = useSendStateWords()
  const absenceWords = useMissingWords()
  const { type, named, measure } = row
  const status = statusOf(row)
  const unknown = absenceWords[detailAbsence ?? 'absent']
  const notes = [
    named && t`依頼に指示あり`,
    // A non-breaking space keeps date and time on one line.
    measure && shortStampText(measure.createdAt, today).replace(' ', '\u00A0'),
    measure?.unsent && sendStateWords[measure.unsent],
  ]
  return (
    <li>
      <StatusButton
        name={shownLabel(registeredIn(row)?.typeName ?? SafetyType.label(type))}
        note={notes.filter(Boolean).join('・') || undefined}
        status={status}
        // Replaces the status's default text.
        word={status === 'barred' ? t`不要` : status === 'unknown' ? unknown : undefined}
        lead={ICONS[status]}
        onClick={onOpen}
      />
    </li>
  )
}
