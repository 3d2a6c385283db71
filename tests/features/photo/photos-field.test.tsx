/** The photos of a form and its draft, with the real database: taken, killed, opened again, saved. */
import { cleanup, waitFor } from '@testing-library/react'
import { type } from 'arktype'
import { describe, expect, test, vi } from 'vitest'
import { useState } from 'react'
import type { Database } from '#data/database.ts'
import type { Services } from '#data/app-context.tsx'
import { addChange, newChange, NOTHING_SENT } from '#data/changes.ts'
import type { PhotoBytesTable } from '#data/photo-bytes.ts'
import { useSaver } from '#data/use-saver.ts'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'

const draft = type({ note: 'string > 0' })

/** A form of a note with photos: what a feature does with them. */
function NoteForm({ of, recordKey }: { of: string; recordKey?: string }) {
  const saver = useSaver()
  const [newKey] = useState(() => crypto.randomUUID() as string)
  const key = recordKey ?? newKey
  const target = { resource: 'noteLocationAreas', recordKey: key, requestId: 'r1', workingDate: '' }
  const photos = useFormPhotos(target)
  const form = useDraftForm({
    schema: draft,
    defaultValues: { note: '' },
    autosave: { key: `note/${of}` },
    onSubmit: ({ note }) => {
      const parts = saver()
      if (!parts) throw new Error('nobody is signed in')
      return photos.save(parts, async () => {
        const change = { ...newChange(parts, 'create' as const, { note }), id: key }
        const blank = { key, requestId: 'r1', workingDate: '', locationAreaId: 'a1', noteType: '1' as const }
        await addChange(parts.db.noteLocationAreas, { ...blank, ...NOTHING_SENT }, change)
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

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff, 0xe0]
const file = (name: string, head: number[], size = 64) =>
  new File([new Uint8Array([...head, ...Array.from({ length: size }, (_, i) => i % 256)])], name)

interface Kept {
  db?: Database
  bytes?: PhotoBytesTable | null
  services?: Partial<Services>
  recordKey?: string
}

async function openForm({ db, bytes = null, services, recordKey }: Kept = {}) {
  const opened = await renderFeature(<NoteForm of="r1" {...(recordKey && { recordKey })} />, {
    path: '/outbox',
    db: db ?? (await openTestDatabase()),
    bytes,
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

const INFO_TYPE = '対応していないファイル形式です。png、jpeg、jpgのいずれかを選択してください。'
const INFO_SIZE = 'ファイルサイズは10MB以下にしてください。'
const RESTORED = '入力途中の内容を復元しました。'

describe('[spec 5] what is taken', () => {
  test('several at once, each with its facts', async () => {
    const services = {
      photo: { maxMb: 10, place: async () => '35.649100,139.808300', original: testValue(false) },
    }
    const { screen, add, draft: kept, bytes } = await openForm({ services })
    await add(file('a.jpg', JPEG), file('b.png', PNG))
    await waitFor(() => expect(screen.getAllByText('位置情報 35.6491, 139.8083')).toHaveLength(2))
    expect(screen.getAllByText('待機')).toHaveLength(2)
    expect(screen.getAllByText('撮影日時 11/20 12:00')).toHaveLength(2)
    const photos = (await kept())?.photos ?? []
    expect(photos.map(({ name }) => name)).toEqual(['20261120120000000_a.jpg', '20261120120000000_b.png'])
    expect((await bytes.get(photos[0]?.key ?? ''))?.byteLength).toBe(68)
  })

  test.each([
    ['no photo by its content', 'a.jpg', [1, 2, 3, 4], 64, INFO_TYPE],
    ['no photo by its name', 'a.heic', JPEG, 64, INFO_TYPE],
    ['an empty file', 'a.png', [], 0, INFO_TYPE],
    ['one byte too big', 'a.jpg', JPEG, 10 * 1024 * 1024 - 3, INFO_SIZE],
    ['too big and no photo', 'a.jpg', [1, 2, 3, 4], 10 * 1024 * 1024, INFO_TYPE],
  ])('%s is not: info', async (_, name, head, size, text) => {
    const { add, services, draft: kept } = await openForm()
    await add(file(name, head, size))
    await waitFor(() =>
      expect(services.flash.get().map(({ mode, text: said }) => [mode, said])).toEqual([['info', text]]),
    )
    expect((await kept())?.photos ?? []).toEqual([])
  })

  test('at the limit it is taken', async () => {
    const { screen, add } = await openForm()
    await add(file('a.jpg', JPEG, 10 * 1024 * 1024 - 4))
    expect(await screen.findByText('待機')).toBeDefined()
  })

  test('a labelled name is kept; the same name twice gets a suffix', async () => {
    const { add, draft: kept } = await openForm()
    await add(file('35.6581_139.7017_20261119080000000.jpg', JPEG), file('a.jpg', JPEG), file('a.jpg', JPEG))
    await waitFor(async () => expect((await kept())?.photos).toHaveLength(3))
    expect((await kept())?.photos.map(({ name }) => name)).toEqual([
      '35.6581_139.7017_20261119080000000.jpg',
      '20261120120000000_a.jpg',
      '20261120120000000_a_2.jpg',
    ])
  })

  test('a full disk says ec00017, and the form stays', async () => {
    const { screen, add, bytes, services } = await openForm()
    vi.spyOn(bytes, 'put').mockRejectedValue(new Error('QuotaExceededError'))
    await add(file('a.jpg', JPEG))
    await waitFor(() =>
      expect(services.flash.get()[0]).toMatchObject({
        mode: 'danger',
        text: 'ファイルの保存に失敗しました。',
      }),
    )
    expect(screen.queryByText('待機')).toBeNull()
  })
})

describe('the save', () => {
  test('makes record and photos, and the draft goes; a position that is still awaited blocks nothing', async () => {
    let found: (place: string) => void = () => undefined
    const place = () => new Promise<string>((resolve) => (found = resolve))
    const opened = await openForm({ services: { photo: { maxMb: 10, place, original: testValue(false) } } })
    const { screen, user, add, submit, db, draft: kept } = opened
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    await add(file('a.jpg', JPEG))
    await screen.findByText('待機')
    await submit()
    const note = await waitFor(async () => {
      const docs = await db.noteLocationAreas.find().exec()
      expect(docs).toHaveLength(1)
      return docs[0]?.toMutableJSON()
    })
    await waitFor(async () => expect(await kept()).toBeNull())
    const [photo, ...more] = await db.photos.find().exec()
    expect(more).toEqual([])
    expect(photo?.toMutableJSON()).toMatchObject({
      recordKey: note?.key,
      unsent: 'yes',
      placeInfo: '',
      size: 68,
    })
    found('35.1,139.1')
    await waitFor(async () => expect((await db.photos.findOne().exec())?.placeInfo).toBe('35.1,139.1'))
  })

  test('a photo that is still being read is waited for', async () => {
    const { screen, user, add, submit, db } = await openForm()
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    void add(file('a.jpg', JPEG, 2_000_000))
    await submit()
    await waitFor(async () => expect(await db.photos.find().exec()).toHaveLength(1))
  })

  test('of a record that is there: deletions and new photos take effect with it, not before', async () => {
    const first = await openForm()
    await first.user.type(first.screen.getByLabelText('メモ'), '段差あり')
    await first.add(file('a.jpg', JPEG))
    await first.screen.findByText('待機')
    await first.submit()
    await waitFor(async () => expect(await first.draft()).toBeNull())
    const recordKey = (await first.db.noteLocationAreas.findOne().exec(true)).key
    const second = await openForm({ ...first.kill(), recordKey })
    const { screen, user, add, submit, db } = second
    await user.click(await screen.findByRole('button', { name: '20261120120000000_a.jpgを削除' }))
    await waitFor(() => expect(screen.queryByText(/撮影日時/)).toBeNull())
    await add(file('b.jpg', JPEG))
    await screen.findByText('待機')
    const wanted = async () =>
      (await db.photos.find().exec()).map((doc) => `${doc.name.slice(18)} ${doc.wanted}`).toSorted()
    expect(await wanted()).toEqual(['a.jpg kept'])
    await user.type(screen.getByLabelText('メモ'), '直った')
    await submit()
    await waitFor(async () => expect(await wanted()).toEqual(['a.jpg deleted', 'b.jpg kept']))
  })
})

describe('[hands 3] 削除 of a photo', () => {
  const actOf = ({ get }: Services['flash']) => get().find(({ act }) => act)?.act

  test('acts at once; 元に戻す brings it back with its bytes, in its place', async () => {
    const { screen, user, add, draft: kept, bytes, services } = await openForm()
    await add(file('a.jpg', JPEG), file('b.jpg', JPEG))
    await waitFor(() => expect(screen.getAllByText('待機')).toHaveLength(2))
    const before = (await kept())?.photos
    const [first] = before ?? []
    await user.click(screen.getByRole('button', { name: `${first?.name}を削除` }))
    await waitFor(() => expect(screen.getAllByText('待機')).toHaveLength(1))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await waitFor(() => expect(actOf(services.flash)?.text).toBe('元に戻す'))
    actOf(services.flash)?.run()
    await waitFor(async () => expect((await kept())?.photos).toEqual(before))
    expect(await bytes.get(first?.key ?? '')).toBeDefined()
    expect(services.flash.get()).toEqual([])
  })

  test('its bytes go when the banner does, and it cannot be had back after the save', async () => {
    const { screen, user, add, draft: kept, bytes, services, submit } = await openForm()
    await add(file('a.jpg', JPEG))
    await screen.findByText('待機')
    const key = (await kept())?.photos[0]?.key ?? ''
    await user.click(screen.getByRole('button', { name: /を削除$/ }))
    await waitFor(() => expect(actOf(services.flash)).toBeDefined())
    const late = actOf(services.flash)
    expect(await bytes.get(key)).toBeDefined()
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    await submit()
    await waitFor(async () => expect(await bytes.get(key)).toBeUndefined())
    expect(actOf(services.flash)).toBeUndefined()
    late?.run()
    await waitFor(async () => expect(await kept()).toBeNull())
  })

  test('of a record that is there: it is not to be deleted after all', async () => {
    const first = await openForm()
    await first.user.type(first.screen.getByLabelText('メモ'), '段差あり')
    await first.add(file('a.jpg', JPEG))
    await first.screen.findByText('待機')
    await first.submit()
    await waitFor(async () => expect(await first.draft()).toBeNull())
    const recordKey = (await first.db.noteLocationAreas.findOne().exec(true)).key
    const { screen, user, draft: kept, services } = await openForm({ ...first.kill(), recordKey })
    await user.click(await screen.findByRole('button', { name: /を削除$/ }))
    await waitFor(() => expect(actOf(services.flash)).toBeDefined())
    expect((await kept())?.unwanted).toHaveLength(1)
    actOf(services.flash)?.run()
    await waitFor(async () => expect((await kept())?.unwanted).toEqual([]))
  })
})

describe('[draft] a page that is killed', () => {
  async function killed() {
    const first = await openForm()
    await first.user.type(first.screen.getByLabelText('メモ'), '<b>段差</b>😀')
    await first.add(file('a.jpg', JPEG))
    await first.screen.findByText('待機')
    const device = first.kill()
    await waitFor(async () => expect((await first.draft())?.values).toContain('段差'))
    return { first, device }
  }

  test('opens with what was typed and taken, and says so', async () => {
    const { device } = await killed()
    const { screen, submit, db, draft: kept } = await openForm(device)
    expect(await screen.findByText(RESTORED)).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('<b>段差</b>😀')
    expect(await screen.findByText('待機')).toBeDefined()
    await submit()
    await waitFor(async () => expect(await kept()).toBeNull())
    expect(await db.photos.find().exec()).toHaveLength(1)
  })

  test('starts fresh when asked: text, photos and their bytes go', async () => {
    const { device } = await killed()
    const { screen, user, draft: kept, bytes } = await openForm(device)
    const key = (await kept())?.photos[0]?.key ?? ''
    await user.click(await screen.findByRole('button', { name: '最初から入力する' }))
    await waitFor(() => expect(screen.queryByText(RESTORED)).toBeNull())
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('')
    await waitFor(() => expect(screen.queryByText('待機')).toBeNull())
    expect(await kept()).toBeNull()
    // as long as it can be had back, and not after the form
    expect(await bytes.get(key)).toBeDefined()
    cleanup()
    await waitFor(async () => expect(await bytes.get(key)).toBeUndefined())
  })

  test('[hands 3] 元に戻す brings back what was typed and taken; the notice keeps its place', async () => {
    const { device } = await killed()
    const { screen, user, draft: kept, submit, db } = await openForm(device)
    await user.click(await screen.findByRole('button', { name: '最初から入力する' }))
    expect(await screen.findByText('入力途中の内容を削除しました。')).toBeDefined()
    await waitFor(() => expect(screen.queryByText('待機')).toBeNull())
    await user.click(screen.getByRole('button', { name: '元に戻す' }))
    expect(await screen.findByText(RESTORED)).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('<b>段差</b>😀')
    expect(await screen.findByText('待機')).toBeDefined()
    await submit()
    await waitFor(async () => expect(await kept()).toBeNull())
    expect(await db.photos.find().exec()).toHaveLength(1)
  })

  test('left with はい (ec00007) nothing is kept; also with photos only', async () => {
    const { screen, user, add, router, draft: kept } = await openForm()
    await add(file('a.jpg', JPEG))
    await screen.findByText('待機')
    void router.navigate({ to: '/settings' })
    await user.click(await screen.findByRole('button', { name: 'はい' }))
    await waitFor(async () => expect(await kept()).toBeNull())
  })

  test('another form opens empty', async () => {
    const { device } = await killed()
    const { screen } = await renderFeature(<NoteForm of="r2" />, { path: '/outbox', ...device })
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('')
    expect(screen.queryByText(RESTORED)).toBeNull()
  })
})
