import { useLingui } from '@lingui/react/macro'
import { noteLocationArea, type NoteDraft } from '#schemas/resources/note-location-area.ts'
import type { Saver } from '#data/changes/changes.ts'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { RequestForm, type RequestFormProps } from '#features/request-form/request-form.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { BackButton } from '#ui/layout/app-bar.tsx'
import { PHRASES } from '#messages/phrases.ts'

interface NoteFormProps extends Omit<RequestFormProps, 'back'> {
  requestId: string
  /** The note's key, or the key that a new note will get. */
  recordKey: string
  draftKey: string
  note: string
  /** Says why the note can no longer be registered; undefined if it can. */
  closed?: string | undefined
  /** Called with the key of the created or changed note. */
  onSave: (saver: Saver, draft: NoteDraft, key: string) => Promise<void>
}

/** The form 現場メモ, for registering and editing. */
export function NoteForm(props: NoteFormProps) {
  const { requestId, recordKey, draftKey, note, closed, onSave, ...frame } = props
  const { action } = frame
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
    <RequestForm
      {...frame}
      back={<BackButton onClick={() => void leave(requestId)} />}
      form={form}
      slug="noteLocationArea"
    >
      {form.fields({
        note: (field, declared) => (
          <field.TextAreaField
            label={t`メモ`}
            {...declared}
            phrases={PHRASES.note}
            help={t`この現場に入るほかの会社にも表示されます。`}
            rows={6}
          />
        ),
      })}
      <PhotosField photos={photos} label={t`写真`} />
    </RequestForm>
  )
}
