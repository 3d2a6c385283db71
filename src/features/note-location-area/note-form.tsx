import { useLingui } from '@lingui/react/macro'
import { noteLocationArea, type NoteDraft } from '#schemas/resources/note-location-area.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Saver } from '#data/changes/changes.ts'
import type { FormAction } from '#data/changes/offline-policy.ts'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { SaveBar } from '#features/request-form/save-bar.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { BackButton } from '#ui/layout/app-bar.tsx'
import { PHRASES } from '#messages/phrases.ts'

interface NoteFormProps {
  action: FormAction
  title: string
  requestId: string
  /** Null if the request is not on the device. */
  request: RequestRecord | null
  /** The note's key, or the key that a new note will get. */
  recordKey: string
  /** Key of the form's draft. */
  draftKey: string
  note: string
  /** Why the note can no longer be registered. */
  closed?: string | undefined
  /** Called with the key of the created or changed note. */
  onSave: (saver: Saver, draft: NoteDraft, key: string) => Promise<void>
}

/** The form 現場メモ, for registering and editing. */
export function NoteForm(props: NoteFormProps) {
  const { action, title, requestId, request, recordKey, draftKey, note, closed, onSave } = props
  const { t } = useLingui()
  const submit = useSave('noteLocationArea', action)
  const leave = useLeaveForm()
  const target = { resource: 'noteLocationAreas', recordKey, requestId, workingDate: '' }
  const photos = useFormPhotos(target, draftKey, action === 'edit')
  const form = useDeclaredForm({
    declaration: noteLocationArea,
    defaultValues: { note },
    autosave: { key: photos.draft.key },
    onSubmit: (draft) =>
      submit({
        draft: photos.draft,
        ready: photos.ready,
        bar: closed === undefined ? null : { text: closed, go: () => leave(requestId) },
        write: (saver, key) => onSave(saver, draft, key),
        leave: () => leave(requestId),
      }),
  })
  return (
    <form.AppForm>
      <RequestFormFrame
        title={title}
        back={<BackButton onClick={() => void leave(requestId)} />}
        request={request}
        footer={<SaveBar slug="noteLocationArea" action={action} />}
      >
        <form.FormBody>
          {form.fields({
            note: (field, said) => (
              <field.TextAreaField
                label={t`メモ`}
                {...said}
                phrases={PHRASES.note}
                help={t`この現場に入るほかの会社にも表示されます。`}
                rows={6}
              />
            ),
          })}
          <PhotosField photos={photos} label={t`写真`} />
        </form.FormBody>
        <form.LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
  )
}
