import { type Crm, expect, freeRequest, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

interface Note {
  note: string
  requestId: string
  origin: string
}

test('[SV2] 現場メモ with a photo: one online, one in a form that was open when the signal went', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  const mine = async () => {
    const state = (await crm.state()) as unknown as { notes: Note[] }
    const notes = state.notes.filter(({ origin }) => origin === 'call').map(({ note }) => note)
    // two of one minute may stand in either order
    return notes.toSorted()
  }
  const write = async (text: string) => {
    await page.getByLabel('メモ').fill(text)
    await page.getByRole('button', { name: '保存' }).click()
  }
  await phone.signIn()
  const { id, workingDate, ttsOrder } = await freeRequest(crm)
  await readyForOffline(page)
  const list = new URLSearchParams({ type: '1', requestId: id, workingDate })
  await page.goto(`/noteLocationArea/${ttsOrder.locationArea.id}?${list.toString()}`)

  await page.getByRole('link', { name: '追加' }).click()
  await page
    .getByLabel('写真を追加')
    .setInputFiles({ name: 'lid.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') })
  await expect(page.getByRole('button', { name: /を削除$/ })).toBeVisible()
  await write('試験で書いた、ふたのメモです。')
  await expect(page.getByRole('heading', { name: '現場メモ一覧' })).toBeVisible()
  const card = page.getByRole('article').filter({ hasText: '試験で書いた、ふた' })
  await expect(card).toBeVisible()
  await expect(card.getByRole('button', { name: '写真1を開く' })).toBeVisible()
  await expect.poll(mine).toEqual(['試験で書いた、ふたのメモです。'])
  await expect.poll(() => uploads(crm)).toBe(1)

  await page.getByRole('link', { name: '追加' }).click()
  await expect(page.getByRole('heading', { name: '現場メモ登録' })).toBeVisible()
  await phone.offline(true)
  await write('試験で書いた、圏外のメモです。')
  await expect(page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
  await expect(page.getByRole('article').filter({ hasText: '試験で書いた、圏外のメモです。' })).toContainText(
    '待機',
  )
  // what is closed without a signal stands there with its reason, and leads nowhere
  for (const name of ['追加', '編集']) {
    await expect(page.getByRole('link', { name, disabled: true }).first()).toBeVisible()
    await expect(page.getByRole('link', { name, disabled: false })).toHaveCount(0)
  }
  await phone.offline(false)
  await expect
    .poll(mine)
    .toEqual(['試験で書いた、ふたのメモです。', '試験で書いた、圏外のメモです。'].toSorted())
  await expect(
    page.getByRole('article').filter({ hasText: '試験で書いた、圏外のメモです。' }),
  ).not.toContainText('待機')
  expect(phone.errors).toEqual([])
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Uploads that the file store took. */
const uploads = async (crm: Crm) =>
  (await crm.calls()).filter(({ path, acted }) => acted && path.includes('/files/upload/')).length
