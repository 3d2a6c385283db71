/** The phone's back button where a question stands: it has no place in the address. */
import { expect, freeRequest, registerEntry, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

test('it answers the question, also right after a press in it, and 入館登録 stays; what the app itself leaves it leaves', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  const row = await freeRequest(crm)
  await page.getByRole('link', { name: new RegExp(row.requestCode) }).tap()
  await page.getByRole('button', { name: '入館登録' }).tap()
  const popup = page.getByRole('dialog', { name: '入館登録' })
  await popup.getByRole('button', { name: '登録', exact: true }).tap()
  const question = page.getByRole('alertdialog', { name: /入退館連絡先を確認しましたか/ })
  await expect(question).toBeVisible()
  // it takes presses now
  await expect(question).not.toHaveAttribute('data-guarded')
  await question.getByRole('heading').first().tap()
  await page.evaluate(() => history.back())
  await expect(question).toHaveCount(0)
  await expect(popup).toBeVisible()
  await popup.getByRole('button', { name: '閉じる' }).tap()
  await expect(popup).toHaveCount(0)

  // it waits: a logout asks
  await crm.faults([{ id: 'silent', kind: 'unreachable', path: '.', count: 'always' }])
  await registerEntry(page)
  await expect(page.getByRole('link', { name: '退館報告' })).toBeVisible()
  await expect(page.getByRole('heading', { name: '依頼詳細', level: 1 })).toBeVisible()

  await page.getByRole('link', { name: '戻る' }).first().tap()
  // the question is the screen: いいえ and the phone's button lead to where one came from
  await page.getByRole('navigation').getByRole('link', { name: '設定' }).tap()
  for (const leave of ['いいえ', 'back']) {
    await page.getByRole('link', { name: 'ログアウト' }).tap()
    const logout = page.getByRole('alertdialog')
    await expect(logout).toBeVisible()
    await expect(logout).not.toHaveAttribute('data-guarded')
    if (leave === 'back') await page.evaluate(() => history.back())
    else await logout.getByRole('button', { name: leave }).tap()
    await expect(page.getByRole('heading', { name: '設定', level: 1 })).toBeVisible()
    await expect(logout).toHaveCount(0)
  }
  expect(phone.errors).toEqual([])
})
