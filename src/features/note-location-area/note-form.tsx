import { useLingui } from '@lingui/react/macro'
import { NOTE_MAX } from '#schemas/limits.ts'
import { noteDraft, type NoteDraft } from '#schemas/note-location-area.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { messageText } from '#messages/messages.ts'
import { useOnline, useServices } from '#data/app-context.tsx'
import type { Saver } from '#data/changes.ts'
import { goodsFacts, requestFacts } from '#data/request-facts.ts'
import { useLeaveForm } from '#data/use-leave-form.ts'
import { useSaver } from '#data/use-saver.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { BackButton } from '#ui/app-bar.tsx'
import { RequestGlance } from '#ui/request-sheet.tsx'
import { NoteFrame } from './note-frame.tsx'

interface NoteFormProps {
  title: string
  requestId: string
  /** null: the request itself is not on the device */
  request: RequestRecord | null
  /** The note's key, or the one that a new one will get. */
  recordKey: string
  /** What is typed is kept under it. */
  draftKey: string
  note: string
  onSave: (saver: Saver, draft: NoteDraft) => Promise<void>
}

/** The form 現場メモ, of registering and of editing. */
export function NoteForm({ title, requestId, request, recordKey, draftKey, note, onSave }: NoteFormProps) {
  const { t, i18n } = useLingui()
  const { flash, online: signal } = useServices()
  const online = useOnline()
  const saver = useSaver()
  const leave = useLeaveForm()
  const photos = useFormPhotos({ resource: 'noteLocationAreas', recordKey, requestId, workingDate: '' })
  const form = useDraftForm({
    schema: noteDraft,
    defaultValues: { note },
    autosave: { key: draftKey },
    onSubmit: async (draft) => {
      const parts = saver()
      if (!parts) return
      await photos.save(() => onSave(parts, draft))
      if (signal.get()) flash.show('success', messageText(i18n, 'saveSuccess'))
      else flash.show('warning', messageText(i18n, 'savedOffline'))
      await leave(requestId)
    },
  })
  return (
    <form.AppForm>
      <NoteFrame
        title={title}
        back={<BackButton onClick={() => void leave(requestId)} />}
        request={request}
        footer={
          <form.SubmitBar hint={online ? undefined : t`電波がないため、端末に保存して後で送信します`}>
            {t`保存`}
          </form.SubmitBar>
        }
      >
        {request && <RequestGlance facts={requestFacts(request)} goods={goodsFacts(request)} />}
        <form.FormBody>
          <form.AppField name="note">
            {(field) => (
              <field.TextAreaField
                label={t`メモ`}
                required
                help={t`この現場に入るほかの会社にも表示されます。`}
                max={NOTE_MAX}
                rows={6}
              />
            )}
          </form.AppField>
          <PhotosField photos={photos} label={t`写真`} />
        </form.FormBody>
        <form.LeaveGuard />
      </NoteFrame>
    </form.AppForm>
  )
}
