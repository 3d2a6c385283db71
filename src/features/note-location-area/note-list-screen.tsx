import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { Lock, Plus, EyeOff, Pencil } from 'lucide-react'
import { useState } from 'react'
import { NoteType, NoteOpenFlag } from '#schemas/codes.ts'
import { LOAD_MORE_SIZE, SCROLL_TRIGGER_PX } from '#schemas/limits.ts'
import { useFreshDetail } from '#data/context/use-fetched-record.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import { useVisitsOfRequest } from '#data/visits/use-visits.ts'
import { shownLabel } from '#lib/language.ts'
import { ClosedBar } from '#features/request-form/edit-bar.tsx'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { ButtonLink, BarredLink } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Entries, Entry } from '#ui/request/entry.tsx'
import { Lead, ListEnd, PairBar } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { NearEnd } from '#ui/feedback/near-end.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { ListLoadScreen, NotHere } from '#features/request-form/list-load-state.tsx'
import {
  isEditable,
  isNoteClosed,
  noteListOf,
  type NoteListSearch,
  type NoteView,
  useNotesOfArea,
} from './notes.ts'
import { useSession } from '#data/context/app-context.tsx'
import { stampText } from '#lib/time/tokyo-time.ts'
import { RecordPhotos } from '#features/photo/record-photos.tsx'
import { SendStateLine } from '#ui/feedback/send-state.tsx'

/** The screen 現場メモ一覧. An invalid type or working day in the URL leads to not-found. */
export function NoteListScreen({ otherId, search }: { otherId: string; search: NoteListSearch }) {
  const list = noteListOf(otherId, search)
  return list ? <NoteList {...list} /> : <Navigate to="/not-found" replace />
}

type NoteListProps = NonNullable<ReturnType<typeof noteListOf>>

function NoteList({ type, requestId, workingDate, areaId: givenArea }: NoteListProps) {
  const { t } = useLingui()
  const offered = useOffered('noteLocationArea', 'add')
  const days = useVisitsOfRequest(requestId)
  const fresh = useFreshDetail(requestId, workingDate, days?.length === 0)
  const visit = days?.find(({ request }) => request.workingDate === workingDate) ?? days?.[0]
  const request = visit?.request ?? null
  const closed = isNoteClosed(request)
  // Without a place in the URL, the request says which notes to list.
  const isUnknown = givenArea === null && !request
  if (isUnknown && days && fresh === 'missing') return <Navigate to="/not-found" replace />
  const isRequestComing = days === undefined || fresh === 'asked'
  // The request's own place counts: notes that are read under a wrong place of the URL would move there.
  const areaId = request?.locationAreaId || givenArea || ''
  return (
    <RequestFormFrame
      title={t`現場メモ一覧`}
      back={<BackLink to="/request/$id" params={{ id: requestId }} search={{ workingDate }} />}
      request={request}
      reading={days === undefined}
      footer={!isUnknown && <AddBar requestId={requestId} closed={closed} offered={offered} />}
    >
      {isUnknown && (isRequestComing ? <ViewSkeleton /> : <NotHere />)}
      {!isUnknown && days === undefined && <ViewSkeleton />}
      {!isUnknown && days !== undefined && (
        <NotesOfArea key={areaId} {...{ areaId, requestId, type, offered, closed }} />
      )}
    </RequestFormFrame>
  )
}

interface NotesOfAreaProps extends NoNotesProps {
  /** Id of the place; '' for a request without a place, whose own notes are listed. */
  areaId: string
  requestId: string
}

/** The notes of one type, with the tabs for the types. A skeleton or the load state replaces notes that are not read. */
function NotesOfArea({ areaId, requestId, ...props }: NotesOfAreaProps) {
  const { t } = useLingui()
  const { type } = props
  const { notes, isRead, isComing, loadState, retry } = useNotesOfArea(areaId, requestId)
  if (!notes) return <ViewSkeleton />
  const shown = notes.filter((note) => note.type === type)
  const isWhole = isRead || areaId === ''
  if (shown.length === 0 && !isWhole)
    return isComing ? (
      <ViewSkeleton />
    ) : (
      <ListLoadScreen loadState={loadState(0)} onRetry={retry} none={<NoNotes {...props} />} />
    )
  return (
    <>
      <Lead>{t`この現場に入る会社どうしで共有するメモです。`}</Lead>
      <NoteTypes shown={type} notes={notes} />
      {shown.length > 0 ? <Notes notes={shown} isWhole={isWhole} /> : <NoNotes {...props} notes={notes} />}
      {!isWhole && <ListLoadScreen loadState={loadState(shown.length)} onRetry={retry} none={null} />}
    </>
  )
}

function Notes({ notes, isWhole }: { notes: readonly NoteView[]; isWhole: boolean }) {
  const { t } = useLingui()
  const [most, setMost] = useState(LOAD_MORE_SIZE)
  const hasMore = notes.length > most
  const showMore = () => setMost((before) => before + LOAD_MORE_SIZE)
  return (
    <NearEnd px={SCROLL_TRIGGER_PX} shown={most} onNear={hasMore ? showMore : undefined}>
      <Entries>
        {notes.slice(0, most).map((note) => (
          <NoteCard key={note.record.key} note={note} />
        ))}
      </Entries>
      {(hasMore || isWhole) && <ListEnd loading={hasMore}>{t`これより前のメモはありません`}</ListEnd>}
    </NearEnd>
  )
}

interface NoNotesProps {
  offered: boolean
  closed: boolean
  type: string
  notes?: readonly NoteView[]
}

/** The empty list. It suggests adding a note only if the user may add one, and mentions notes of the other type. */
function NoNotes({ offered, closed, type, notes = [] }: NoNotesProps) {
  const { t } = useLingui()
  const [other] = notes.filter((note) => note.type !== type)
  if (other) {
    const [here, there] = [shownLabel(NoteType.label(type)), shownLabel(NoteType.label(other.type))]
    const count = notes.length
    return (
      <Empty
        art="search"
        heading={t`「${here}」の現場メモはありません`}
        advice={t`「${there}」の現場メモが${count}件あります。`}
      />
    )
  }
  const advice = offered
    ? t`次に入る会社に伝えたいことを登録してください。`
    : t`電波の届く場所で登録できます。`
  return <Empty art="search" heading={t`現場メモはありません`} advice={closed ? undefined : advice} />
}

/** The button 追加. Where no note can be added, it is disabled and gives the reason in the same words as 依頼詳細. */
function AddBar({ requestId, offered, closed }: { requestId: string; offered: boolean; closed: boolean }) {
  const { t } = useLingui()
  if (!closed && !offered) return <ClosedBar icon={Plus}>{t`追加`}</ClosedBar>
  const to = { to: '/noteLocationArea/add/$requestId', params: { requestId } } as const
  return (
    <ActionBar>
      {closed ? (
        <Mark icon={Lock}>{t`この依頼では現場メモを登録できません。`}</Mark>
      ) : (
        <ButtonLink {...to} variant="primary" wide icon={Plus}>{t`追加`}</ButtonLink>
      )}
    </ActionBar>
  )
}

/** The tabs 依頼 and 現場, which switch between the two lists of a site's notes. Shown only if the other list has notes. */
function NoteTypes({ shown, notes }: { shown: string; notes: readonly NoteView[] }) {
  const { t } = useLingui()
  if (notes.every(({ type }) => type === shown)) return null
  return (
    <nav aria-label={t`メモの種類`}>
      <PairBar>
        {NoteType.options.map(({ code, label: japanese }) => {
          const label = shownLabel(japanese)
          const count = notes.filter(({ type }) => type === code).length
          const isShown = code === shown
          return (
            <ButtonLink
              key={code}
              to="."
              search={(before) => ({ ...before, type: code })}
              replace
              current={isShown ? 'page' : undefined}
            >
              {t`${label}（${count}）`}
            </ButtonLink>
          )
        })}
      </PairBar>
    </nav>
  )
}

/** A card with a note's date, author, text and photos. The user's own notes have the button 編集 while online. */
function NoteCard({ note }: { note: NoteView }) {
  const { t } = useLingui()
  const offered = useOffered('noteLocationArea', 'edit')
  const me = useSession()?.userInfo.loginUserName
  const { record, id, at, by, own, closed, unsent } = note
  return (
    <Entry
      when={stampText(at) || t`登録日時不明`}
      by={by || (own ? me : undefined)}
      text={note.note}
      facts={
        <>
          {closed && <Mark icon={EyeOff}>{shownLabel(NoteOpenFlag.label(NoteOpenFlag.code.closed))}</Mark>}
          <SendStateLine state={unsent} />
        </>
      }
      corner={
        isEditable(note) &&
        (offered ? (
          <ButtonLink to="/noteLocationArea/$id/edit" params={{ id }} icon={Pencil}>{t`編集`}</ButtonLink>
        ) : (
          <BarredLink icon={Pencil} reason={t`オフライン中は登録・編集できません`}>
            {t`編集`}
          </BarredLink>
        ))
      }
    >
      <RecordPhotos
        resource="noteLocationAreas"
        recordKey={record.key}
        requestId={record.requestId}
        isThere={record.serverId !== ''}
      />
    </Entry>
  )
}
