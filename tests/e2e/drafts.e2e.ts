/** A phone kills the page while its file chooser is open: taps from the start screen lead back to what was typed. */
import { cameraPhoto } from '../support/camera-photo.ts'
import { expect, freeRequest, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

const TEXT = '搬入口Aは工事のため使えません。'

test('[decisions/drafts] killed at the file chooser, online: the row, 依頼詳細 and the tab lead back to the form with text and photo', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  await readyForOffline(phone.page)
  const row = await freeRequest(crm)
  await phone.page.getByRole('link', { name: new RegExp(row.requestCode) }).tap()
  await phone.page.goto(`/noteLocationArea/add/${row.id}`)
  await phone.page.getByRole('textbox', { name: 'メモ' }).fill(TEXT)
  const buffer = await cameraPhoto(phone.page, 800, 600)
  const add = phone.page.getByText('写真を追加', { exact: true })
  const first = phone.page.waitForEvent('filechooser')
  await add.tap()
  await (await first).setFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  await expect(phone.page.getByText('入力途中', { exact: true })).toBeVisible()
  const second = phone.page.waitForEvent('filechooser')
  await add.tap()
  await second
  await phone.kill()

  const { page } = phone
  const link = (name: RegExp) => page.getByRole('link', { name })
  const isBack = async () => {
    await expect(page.getByText('入力途中の内容を復元しました。')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'メモ' })).toHaveValue(TEXT)
    await expect(page.getByRole('button', { name: '写真1を開く' })).toBeVisible()
  }
  await page.goto('/')
  await expect(link(new RegExp(row.requestCode))).toContainText('入力途中')
  await link(new RegExp(row.requestCode)).tap()
  await page
    .getByRole('region', { name: '入力途中' })
    .getByRole('link', { name: /^現場メモ登録/ })
    .tap()
  await isBack()

  await page.goto('/')
  await link(/^送信状況.*入力途中 1件/).tap()
  await page
    .getByRole('region', { name: '入力途中' })
    .getByRole('link', { name: /^現場メモ登録/ })
    .tap()
  await isBack()
  // saved, nothing says it any more
  await page.getByRole('button', { name: '保存' }).tap()
  await expect(page).not.toHaveURL(/noteLocationArea\/add/)
  await page.goto('/')
  await expect(link(new RegExp(row.requestCode))).toBeVisible()
  await expect(page.getByText('入力途中')).toHaveCount(0)
})
