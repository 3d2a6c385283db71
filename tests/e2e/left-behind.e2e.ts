/** What a finder of the phone can read: every store through a page, after a logout, and after another user. */
import type { APIRequestContext, Page } from '@playwright/test'
import { cameraPhoto } from '../support/camera-photo.ts'
import {
  type Crm,
  expect,
  type Phone,
  freeRequest,
  readyForOffline,
  registerEntry,
  reportsOf,
  test,
} from './phone.ts'
import { found, inHttpCache } from './stores.ts'

test.skip(!process.env['SLOW'], 'a minute or two: SLOW=1, npm run test:slow')

const CANARY = 'CANARYofTheFirst'
const UNSENT = 'まだ送っていないメモ'
const TYPED = '打ちかけの内容'

const plant = async (request: APIRequestContext, text: string) =>
  void (await request.post('/__demo/canary', { data: text, headers: { 'content-type': 'text/plain' } }))

const signOut = async (page: Page) => {
  await page.goto('/logout')
  const login = page.getByRole('heading', { name: 'ログイン', exact: true })
  const yes = page.getByRole('button', { name: 'はい' })
  // it asks where something stays behind
  await expect(login.or(yes)).toBeVisible()
  if (await yes.isVisible()) await yes.click()
  await expect(login).toBeVisible()
}
const nothing = (page: Page) =>
  expect.poll(async () => (await found(page, CANARY)).join('\n'), { timeout: 25_000 }).toBe('')

const HOUR = 3_600_000

/** The phone was away: its clock and the CRM's say so much later. */
async function comeBackLater(phone: Phone, request: APIRequestContext, ms: number) {
  await request.post('/__demo/clock', { data: String(ms), headers: { 'content-type': 'text/plain' } })
  await phone.restart()
  await phone.context.clock.install({ time: Date.now() + ms })
  await phone.page.goto('/request')
}

/** A phone that has read everything, and has sent a note with its photo, has the canary in all of these. */
const KINDS = [
  ...['requests', 'quickReports', 'safetyMeasures', 'emergencyReports', 'noteLocationAreas', 'lookups'],
  ...['customerLocationChangeRequests', 'locationContactChangeRequests', 'photos'],
].map((name) => `--${name} docs`)
const PLACES = [...KINDS, 'genba-answers', 'rx-replication-meta']
const without = (places: readonly string[]) =>
  PLACES.filter((name) => !places.some((each) => each.includes(name)))

/** Bytes of photos, whatever is in them: they are encoded anew, and lose all that is no picture. */
const photoBytes = async (page: Page) =>
  (await found(page, '')).filter((place) => place.startsWith('genba-photos'))

/** A note with a photo of that name. */
async function saveNote(page: Page, { id, text, name }: { id: string; text: string; name: string }) {
  await page.goto(`/noteLocationArea/add/${id}`)
  const buffer = await cameraPhoto(page, 400, 300)
  await page.getByLabel('写真を追加').setInputFiles({ name, mimeType: 'image/jpeg', buffer })
  await page.getByLabel('メモ').fill(text)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByLabel('メモ')).toBeHidden()
}
const isSent = async (crm: Crm, name: string) =>
  (await crm.state()).files.some((file) => file.name.includes(name))

test('[EX1][EX4][EX6][SV3] 72 hours later no store has anything that the CRM no longer says, of no user; what is unsent goes as who saved it', async ({
  crm,
  phone,
  request,
}) => {
  test.setTimeout(180_000)
  const { id } = await freeRequest(crm)
  await crm.faults([
    { id: 'down', kind: 'status', status: 503, path: 'noteLocationArea', method: 'POST', count: 'always' },
  ])
  await phone.signIn('demo6')
  await plant(request, CANARY)
  await saveNote(phone.page, { id, text: UNSENT, name: 'IMG_UNSENT.jpg' })
  await signOut(phone.page)
  await nothing(phone.page)
  const unsentPhoto = await photoBytes(phone.page)
  expect(unsentPhoto.length).toBeGreaterThan(0)

  await crm.faults([])
  await plant(request, '')
  await phone.signIn('demo5')
  await plant(request, CANARY)
  await saveNote(phone.page, { id, text: `ふたは二人で。${CANARY}`, name: `IMG_${CANARY}.jpg` })
  await expect.poll(() => isSent(crm, CANARY)).toBe(true)
  await phone.page.goto('/request')
  await expect.poll(async () => without(await found(phone.page, CANARY)), { timeout: 40_000 }).toEqual([])
  expect((await photoBytes(phone.page)).length).toBeGreaterThan(unsentPhoto.length)
  await plant(request, '')
  // of the days of then the CRM has nothing any more
  const empty = { kind: 'status', status: 200, body: [], headers: { 'x-total-count': '0' } }
  await crm.faults([{ id: 'empty', ...empty, path: 'request/search', count: 'always' }])

  await comeBackLater(phone, request, 72 * HOUR)
  const { page } = phone
  const left = async () => {
    await page.clock.fastForward(95_000)
    // what the user wrote is a sentence of 定型文 until the logout (EX1b)
    const places = (await found(page, CANARY)).filter((place) => !place.endsWith('--own docs'))
    return [...new Set(places), ...(await photoBytes(page))]
  }
  await expect.poll(left, { timeout: 40_000 }).toEqual(unsentPhoto)
  expect(await inHttpCache(page, crm)).toEqual([])
  await signOut(page)
  expect(await found(page, CANARY)).toEqual([])

  await crm.faults([])
  await phone.signIn('demo6')
  await page.goto('/outbox')
  const authors = async () =>
    (await crm.state()).notes.filter(({ note }) => note === UNSENT).map(({ loginUserId }) => loginUserId)
  expect(await authors()).toEqual([])
  // the user's stores are open: a clock that runs ahead would end the wait for them
  await expect(page.getByRole('heading', { name: '現場メモ登録' })).toBeVisible()
  // what may have arrived is looked for before it is 期限切れ
  const resend = page.getByRole('button', { name: '再送' })
  const mayBeResent = async () => {
    await page.clock.fastForward(20_000)
    return resend.count()
  }
  await expect.poll(mayBeResent, { timeout: 40_000 }).toBeGreaterThan(0)
  await resend.first().click()
  // it is looked for twice before it leaves again
  const later = async () => {
    await page.clock.fastForward(20_000)
    return authors()
  }
  await expect.poll(later).toEqual(['ss-2006'])
  // its photo goes with it: one press, one card
  const photoSent = async () => {
    await page.clock.fastForward(20_000)
    return isSent(crm, 'IMG_UNSENT')
  }
  await expect.poll(photoSent).toBe(true)
  await expect(resend).toHaveCount(0)
})

test('[EX6a] logged out, nothing of the CRM is in any store; what is unsent and the draft are there again for their user, and go', async ({
  crm,
  phone,
  request,
}) => {
  test.setTimeout(180_000)
  await plant(request, CANARY)
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  await expect.poll(async () => (await found(page, CANARY)).length).toBeGreaterThan(100)
  const row = await freeRequest(crm)
  await crm.faults([
    { id: 'down', kind: 'status', status: 503, path: 'quickReport/$', method: 'POST', count: 'always' },
  ])
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(page)
  await page.getByRole('link', { name: '緊急報告', exact: true }).click()
  await page.getByRole('link', { name: '新規登録' }).click()
  await page.getByLabel('緊急内容詳細').fill(TYPED)
  await expect.poll(async () => (await found(page, TYPED)).length).toBeGreaterThan(0)
  const draft = page.url()
  expect(await inHttpCache(page, crm)).toEqual([])

  await signOut(page)
  await nothing(page)
  expect(await inHttpCache(page, crm)).toEqual([])
  await page.reload()
  expect(await found(page, CANARY)).toEqual([])

  // another user, to whom nothing of it is shown
  await plant(request, '')
  await phone.signIn('demo5')
  await readyForOffline(page)
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  expect(await found(page, CANARY)).toEqual([])
  expect((await found(page, TYPED)).length).toBeGreaterThan(0)
  await signOut(page)

  await crm.faults([])
  await phone.signIn('demo6')
  await expect.poll(async () => (await reportsOf(crm, row)).length).toBe(1)
  await page.goto(draft)
  await expect(page.getByLabel('緊急内容詳細')).toHaveValue(TYPED)
})
