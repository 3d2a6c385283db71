/** A form of a note with photos, opened on the real database: what a feature does with them. */
import { cleanup } from '@testing-library/react'
import { type } from 'arktype'
import { useState } from 'react'
import type { Database } from '#data/database/database.ts'
import { useUserData, type Services } from '#data/context/app-context.tsx'
import { addChange, newChange, NOTHING_SENT, noting } from '#data/changes/changes.ts'
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { saveDraft } from '#data/drafts/save-draft.ts'
import { useSaver } from '#data/context/use-saver.ts'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { jpegFile } from '../../support/image-files.ts'
import { openTestDatabase, renderFeature, testPhoto } from '../../support/render-feature.tsx'

const draft = type({ note: 'string > 0' })

export function NoteForm({ of, recordKey }: { of: string; recordKey?: string }) {
  const saver = useSaver()
  const data = useUserData()
  const [newKey] = useState(() => crypto.randomUUID() as string)
  const key = recordKey ?? newKey
  const target = { resource: 'noteLocationAreas', recordKey: key, requestId: 'r1', workingDate: '' }
  const photos = useFormPhotos(target, `note/${of}`)
  const form = useDraftForm({
    schema: draft,
    defaultValues: { note: '' },
    autosave: { key: photos.draft.key },
    onSubmit: async ({ note }) => {
      if (!(await photos.draft.ready())) return 'not-saved'
      const parts = saver()
      if (!parts || !data) throw new Error('nobody is signed in')
      const own = noting(parts).saver
      const { bytes, drafts } = data
      await saveDraft({ ...own, bytes }, drafts.submitted(photos.draft.key), target, async () => {
        const change = { ...newChange(own, 'create' as const, { note }), id: key }
        const blank = { key, requestId: 'r1', workingDate: '', locationAreaId: 'a1', noteType: '1' as const }
        await addChange(own.db, 'noteLocationAreas', { ...blank, ...NOTHING_SENT }, change)
      })
    },
  })
  return (
    <form.AppForm>
      <form.FormBody>
        <form.AppField name="note">{(field) => <field.TextField label="メモ" required />}</form.AppField>
        <PhotosField photos={photos} label="写真" />
      </form.FormBody>
      <form.SubmitBar>保存</form.SubmitBar>
      <form.LeaveGuard />
    </form.AppForm>
  )
}

export const file = (
  name: string,
  content: Uint8Array<ArrayBuffer> = jpegFile({ bytes: 68 }),
  lastModified = NOW,
) => new File([content], name, { lastModified })
export const NOW = Date.parse('2026-11-20T12:00:00+09:00')

/** Photos are read when the test says so. */
export function heldJobs() {
  const { jobs } = testPhoto()
  let release: () => void = () => undefined
  const told = new Promise<void>((resolve) => (release = resolve))
  return { jobs: () => told.then(jobs), release: () => release() }
}

interface Kept {
  db?: Database
  bytes?: PhotoBytesTable | null
  services?: Partial<Services>
  recordKey?: string
  href?: string
}

export async function openForm({ db, bytes = null, services, recordKey, href }: Kept = {}) {
  const opened = await renderFeature(<NoteForm of="r1" {...(recordKey && { recordKey })} />, {
    path: '/outbox',
    db: db ?? (await openTestDatabase()),
    bytes,
    ...(href && { href }),
    ...(services && { services }),
  })
  const { screen, user } = opened
  const device = { db: opened.db as Database, bytes: opened.bytes as PhotoBytesTable }
  return {
    ...opened,
    ...device,
    add: (...files: File[]) =>
      userUpload(screen.getByLabelText<HTMLInputElement>('写真を追加'), files, user.upload),
    submit: () => user.click(screen.getByRole('button', { name: '保存' })),
    draft: async () => (await device.db.drafts.findOne('note/r1').exec())?.toMutableJSON() ?? null,
    /** The page is killed: nothing says goodbye but what the browser tells a page that is hidden. */
    kill() {
      window.dispatchEvent(new Event('pagehide'))
      cleanup()
      return device
    },
  }
}

/** Past `accept`: what a file picker lets through differs between phones. */
async function userUpload(
  input: HTMLInputElement,
  files: File[],
  upload: (input: HTMLElement, files: File[]) => Promise<void>,
) {
  input.removeAttribute('accept')
  await upload(input, files)
}
export const INFO_TYPE = '対応していないファイル形式です。png、jpeg、jpgのいずれかを選択してください。'
