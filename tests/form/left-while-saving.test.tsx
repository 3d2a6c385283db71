/** A form that is left while it is saved: the save goes on, leads nowhere from where one is, and what comes of it is said. */
import { act, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { FormAction, FormSlug } from '#data/changes/offline-policy.ts'
import { declaredFacts } from '#schemas/collections/push-collections.ts'
import type { Database } from '#data/database/database.ts'
import type { Services } from '#data/context/app-context.tsx'
import { NoteAddScreen } from '#features/note-location-area/note-form-screens.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { file } from '../features/photo/open-photos.tsx'
import { atRest } from '../support/at-rest.ts'
import { openTestDatabase, renderFeature, testPhoto, testValue } from '../support/render-feature.tsx'
import { requestOn, storeVisits } from '../support/visit-records.ts'
import { viewsIn } from '../support/stored-views.ts'
import { beforeEachSave } from '../support/disk-writes.ts'

const ACTIONS: FormAction[] = ['add', 'edit']
const slugs = Object.values(declaredFacts).map(({ slug }) => slug as FormSlug)
const forms = slugs.flatMap((slug) => ACTIONS.map((action) => [slug, action] as const))

/** Held until the test lets it go. */
function held() {
  let letGo = (): void => undefined
  const over = new Promise<void>((resolve) => (letGo = resolve))
  return { over, letGo }
}

describe('[hands 3] whoever has left is not led on by a save that ends late', () => {
  interface Slow {
    slug: FormSlug
    action: FormAction
    over: Promise<void>
    bar: string | null
  }
  function Form({ slug, action, over, bar }: Slow) {
    const submit = useSave(slug, action)
    const go = async () => history.back()
    const save = () =>
      submit({
        draft: { key: 'k', ready: async () => over.then(() => true) },
        bar: bar === null ? null : { text: bar, go },
        write: async () => undefined,
        leave: go,
      })
    return <button onClick={() => void save()}>保存</button>
  }
  let history: { back: () => void } = { back: () => undefined }

  const cells = forms.flatMap(([slug, action]) =>
    [null, '編集できません。'].map((bar) => [slug, action, bar] as const),
  )
  test.each(cells)('%s, %s, barred by %s', async (slug, action, bar) => {
    const { over, letGo } = held()
    const { screen, user, router, href, services } = await renderFeature(
      <Form slug={slug} action={action} over={over} bar={bar} />,
      { path: '/settings', href: '/request', db: await openTestDatabase() },
    )
    history = router.history
    await act(async () => router.navigate({ to: '/outbox' } as never))
    await act(async () => router.navigate({ to: '/settings' } as never))
    await user.click(await screen.findByRole('button', { name: '保存' }))
    act(() => router.history.back())
    await waitFor(() => expect(href()).toBe('/outbox'))
    await screen.findByText('別の画面')
    await act(async () => letGo())
    // a barred form says the reason, and where the input is
    await waitFor(() => expect(services.flash.get()).toHaveLength(bar === null ? 1 : 2))
    await act(() => atRest())
    expect(href()).toBe('/outbox')
  })
})

const DRAFT = 'noteLocationArea/add/1'

/** 現場メモ登録 with something in it, opened from 設定. */
async function note(services: Partial<Services> = {}) {
  const db = await openTestDatabase()
  await storeVisits(db, [requestOn('1', '2026-11-20', { locationAreaId: 'a1' })])
  const opened = await renderFeature(<NoteAddScreen requestId="1" />, {
    path: '/noteLocationArea/add/$requestId',
    href: '/settings',
    db,
    services,
  })
  const { screen, user, router } = opened
  await act(async () =>
    router.navigate({ to: '/noteLocationArea/add/$requestId', params: { requestId: '1' } } as never),
  )
  await user.type(await screen.findByLabelText('メモ'), '段差あり')
  await waitFor(async () => expect((await db.drafts.findOne(DRAFT).exec())?.values).toContain('段差あり'))
  return {
    ...opened,
    db,
    save: () => user.click(screen.getByRole('button', { name: '保存' })),
    leave: async () => {
      act(() => router.history.back())
      await screen.findByText('別の画面')
    },
    banner: () => opened.services.flash.at('unsaved'),
  }
}

const HERE = '入力した内容はこの画面に残っています。'
const KEPT = '入力した内容は送信状況の「入力途中」に残っています。'
const TO_DRAFTS = { path: '/outbox', text: '送信状況を見る' }
const full = new DOMException('no room', 'QuotaExceededError')

/** The device takes no save, once it is asked to: `over` tells when. */
const takesNone = (db: Database, over: Promise<void> = Promise.resolve()) =>
  beforeEachSave(db, () => over.then(() => Promise.reject(full)))

describe('[SV1] where what was typed is, is said of a form that was left', () => {
  test('a save that fails after that', async () => {
    const { over, letGo } = held()
    const { db, save, leave, banner } = await note()
    takesNone(db, over)
    await save()
    await leave()
    await act(async () => letGo())
    await waitFor(() => expect(banner()?.text).toContain(KEPT))
    expect(banner()?.text).not.toContain(HERE)
    expect(banner()?.link).toEqual(TO_DRAFTS)
    expect((await db.drafts.findOne(DRAFT).exec())?.values).toContain('段差あり')
  })

  test('a save that failed before that, to make room; the banner goes with the draft', async () => {
    const { db, save, leave, banner } = await note()
    takesNone(db)
    await save()
    await waitFor(() => expect(banner()?.text).toContain(HERE))
    await leave()
    await waitFor(() => expect(banner()?.text).toContain(KEPT))
    expect(banner()?.text).not.toContain(HERE)
    await (await db.drafts.findOne(DRAFT).exec())?.remove()
    await waitFor(() => expect(banner()).toBeUndefined())
  })

  test('a photo that did not come: the form is not saved without it, and whoever left is told', async () => {
    const { screen, user, db, save, leave, banner } = await note({ photo: testPhoto({ readMs: 1_500 }) })
    const slow = file('drive.jpg')
    vi.spyOn(slow, 'slice').mockImplementation(() => {
      const part = new Blob()
      part.arrayBuffer = () => new Promise<never>(() => undefined)
      return part
    })
    const add = screen.getByLabelText<HTMLInputElement>('写真を追加')
    add.removeAttribute('accept')
    await user.upload(add, slow)
    await save()
    await leave()
    await waitFor(() => expect(banner()).toMatchObject({ title: '保存していません', link: TO_DRAFTS }))
    expect(banner()?.text).toContain(KEPT)
    expect(await viewsIn(db, 'noteLocationAreas')).toEqual([])
  })
})

const barred = 'この依頼では現場メモを登録できません。'

test('[SV1][draft] a form that is barred leads away, and says where what was typed is', async () => {
  const { db, save, services, href } = await note()
  const request = await db.requests.findOne('1_2026-11-20').exec(true)
  await act(async () => void (await request.incrementalPatch({ noteLocationAreaStatus: '3' })))
  await save()
  await waitFor(() => expect(href()).toBe('/settings'))
  expect(services.flash.get()).toMatchObject([{ text: barred }, { text: KEPT, link: TO_DRAFTS }])
})

test('[hands 3] 元に戻す of a save that ended after its form was left leads to that form', async () => {
  const { over, letGo } = held()
  const { db, save, leave, services } = await note({ online: testValue(false) })
  beforeEachSave(db, () => over)
  await save()
  await leave()
  await act(async () => letGo())
  await waitFor(() => expect(services.flash.at('save')?.act).toBeDefined())
  services.flash.at('save')?.act?.run()
  await waitFor(() => expect(services.flash.at('undone')?.link?.path).toBe('/noteLocationArea/add/1'))
})
