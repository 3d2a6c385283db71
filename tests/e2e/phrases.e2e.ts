/** 定型文 beside a long text, without a signal: fixed sentences, then the user's own (decisions/forms). */
import { expectNoViolations } from './axe.ts'
import { expect, freeRequest, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

const OWN = '鍵は管理室の青い箱の中です。'

test('[decisions/forms] a sentence goes in at the caret; what was saved is offered the next time, until the logout', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  await readyForOffline(page)
  const { id } = await freeRequest(crm)
  await phone.offline(true)
  await page.goto(`/noteLocationArea/add/${id}`)
  const area = page.getByRole('textbox', { name: 'メモ' })
  const sheet = page.getByRole('dialog', { name: '定型文' })
  const pick = async (phrase: string) => {
    await page.getByRole('button', { name: '定型文' }).click()
    await sheet.getByRole('button', { name: phrase }).click()
    await expect(sheet).toBeHidden()
  }
  await area.fill(`前。${OWN}`)
  await area.evaluate((each: HTMLTextAreaElement) => each.setSelectionRange(2, 2))
  await page.getByRole('button', { name: '定型文' }).click()
  await expectNoViolations(page, '定型文')
  await page.goBack()
  await expect(sheet).toBeHidden()
  await pick('搬入口は大型車が入れません。')
  await expect(area).toHaveValue(`前。搬入口は大型車が入れません。${OWN}`)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page).not.toHaveURL(/add/)

  await page.goto(`/noteLocationArea/add/${id}`)
  await pick(OWN)
  await expect(area).toHaveValue(OWN)
})
