/** The data of a user closes while a photo is being read: a lock, or a logout in another tab (SV1, SV6). */
import { act, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, test } from 'vitest'
import { useUserData, type Services, type UserData } from '#data/context/app-context.tsx'
import { atRest } from '../../support/at-rest.ts'
import { openTestDatabase, renderFeature, testPhoto } from '../../support/render-feature.tsx'
import { uncaughtIn } from '../../support/uncaught.ts'
import { file, heldJobs, NoteForm } from './open-photos.tsx'

async function openHeld(photo: Partial<Services['photo']> = {}) {
  const { jobs, release } = heldJobs()
  const seen: { data: UserData | null } = { data: null }
  function Probe() {
    const data = useUserData()
    useEffect(() => void (seen.data = data), [data])
    return null
  }
  const form = (
    <>
      <Probe />
      <NoteForm of="r1" />
    </>
  )
  const db = await openTestDatabase()
  const services = { photo: testPhoto({ jobs, ...photo }) }
  const opened = await renderFeature(form, { path: '/outbox', db, services })
  await opened.user.upload(opened.screen.getByLabelText('写真を追加'), file('a.jpg'))
  await opened.screen.findByText('読み込み中')
  if (!seen.data) throw new Error('open')
  return { ...opened, db, data: seen.data, release }
}

const photosIn = async ({ db }: Pick<UserData, 'db'>) =>
  (await db.drafts.findOne('note/r1').exec())?.toMutableJSON().photos.length ?? 0

test('[SV1] what closes the data lets the photo come first', async () => {
  const { data, release } = await openHeld()
  let isOver = false
  const taken = data.drafts.taken(10_000).then(() => (isOver = true))
  await Promise.resolve()
  expect([isOver, await photosIn(data)]).toEqual([false, 0])
  release()
  await act(() => taken)
  expect(await photosIn(data)).toBe(1)
  // with nothing under way nobody waits
  await data.drafts.taken(10_000)
})

test('[SV1] not for ever: one that comes too late is said, until it is closed by hand', async () => {
  const { data, db, release, services } = await openHeld()
  await data.drafts.taken(1)
  data.bytes.close()
  await db.close()
  await act(async () => release())
  await waitFor(() => expect(services.flash.get()).toHaveLength(1))
  expect(services.flash.get()[0]).toMatchObject({
    mode: 'danger',
    title: '写真を端末に保存できませんでした',
    text: '読み込み中に画面がロックされたか、ログアウトしました。もう一度写真を追加してください。',
    stays: true,
  })
})

test.each([
  ['waited for', true],
  ['too late: nothing failed', false],
])('[SV1] its position is %s', async (_, isWaitedFor) => {
  let found: (place: string) => void = () => undefined
  const place = new Promise<string>((resolve) => (found = resolve))
  const { data, db, release } = await openHeld({ place: () => place })
  await act(async () => release())
  await waitFor(async () => expect(await photosIn(data)).toBe(1))
  const close = async () => {
    const taken = data.drafts.taken(isWaitedFor ? 10_000 : 1)
    if (isWaitedFor) {
      await atRest()
      found('35.1,139.1')
    }
    await taken
    if (isWaitedFor) return
    await db.close()
    found('35.1,139.1')
    await atRest()
  }
  expect(await uncaughtIn(close)).toEqual([])
  const kept = isWaitedFor && (await db.drafts.findOne('note/r1').exec())?.toMutableJSON().photos[0]
  if (isWaitedFor) expect(kept).toMatchObject({ placeInfo: '35.1,139.1' })
})
