import { expectNoViolations } from './axe.ts'
import { expect, readyForOffline, test } from './phone.ts'

for (const theme of ['light', 'dark', 'outdoor'])
  test(`[WCAG 2.2] axe finds nothing on any screen, ${theme}`, async ({ crm, phone }) => {
    const { page } = phone
    await page.addInitScript((name) => localStorage.setItem('genba:theme', name), theme)
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()
    await expectNoViolations(page, 'ログイン')
    await phone.signIn()
    await readyForOffline(page)
    await expectNoViolations(page, '依頼検索')
    await page.getByRole('button', { name: /変更/ }).click()
    await expect(page.getByRole('dialog', { name: '検索条件' })).toBeVisible()
    await expectNoViolations(page, '検索条件')
    await page.goto('/request?select=true')
    await expect(page.getByRole('checkbox', { name: /選択/ }).first()).toBeVisible()
    await expectNoViolations(page, 'まとめて登録')
    const { quickReports, today } = await crm.state()
    const left = quickReports.find(({ workingDate, outTime }) => workingDate === today && outTime)
    const id = left?.id ?? quickReports.find(({ outTime }) => outTime)?.id
    for (const [path, heading] of [
      [`/request/${left?.requestId}?workingDate=${today}`, '依頼詳細'],
      [`/quickReport/${id}`, '退館報告詳細'],
      [`/quickReport/${id}/edit`, '退館報告編集'],
      ['/outbox', '送信状況'],
      ['/settings', '設定'],
      ['/not-found', '404 Not Found'],
    ] as const) {
      if (path.includes('undefined')) continue
      await page.goto(path)
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
      await expectNoViolations(page, heading)
    }
  })
