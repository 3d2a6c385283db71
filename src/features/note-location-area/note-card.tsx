import { useLingui } from '@lingui/react/macro'
import { EyeOff, Pencil } from 'lucide-react'
import { NoteOpenFlag } from '#schemas/codes.ts'
import { useSession } from '#data/context/app-context.tsx'
import { useOffered } from '#data/context/use-offline-policy.ts'
import { stampText } from '#lib/time/tokyo-time.ts'
import { shownLabel } from '#lib/language.ts'
import { RecordPhotos } from '#features/photo/record-photos.tsx'
import { BarredLink } from '#ui/controls/barred-link.tsx'
import { ButtonLink } from '#ui/controls/button.tsx'
import { Entry } from '#ui/request/entry.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { SendStateLine } from '#ui/feedback/send-state.tsx'
import type { NoteView } from './note-view.ts'
import { isEditable } from './rules.ts'

/** A note with date, author, text and photos. The user's own notes have 編集 while online. */
export function NoteCard({ note }: { note: NoteView }) {
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
