/**
 * A phone whose screen is locked (decisions/encryption): nothing of it is shown or readable, and all of it is there
 * again.
 */
import type { Page } from '@playwright/test'
import { isLocked, see, unlock } from './locked.ts'
import { expect, freeRequest, test } from './phone.ts'
import { besideIndexedDb, found, inProfile, readable, TOKENS_AT, tokensOn, usableKeys } from './stores.ts'
import { PLATFORM_AUTHENTICATOR } from '../support/platform-authenticator.ts'

const CANARY = 'CANARYofTheCrm'
const NOTE = 'CANARYofTheNote'

/** A platform authenticator whose passkeys have the PRF. */
async function withPasskeys(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', PLATFORM_AUTHENTICATOR)
  return session
}

/** When the page called the CRM and when it painted the first rows, ms since it began: the sync waits for the list (decisions/speed). */
const startOf = (page: Page) =>
  page.evaluate(() => ({
    calls: performance
      .getEntriesByType('resource')
      .flatMap((call) => (call.name.includes('/api/') ? call.startTime : [])),
    rows:
      performance.getEntriesByName('app:first-rows').map((row) => row.startTime + row.duration)[0] ??
      Infinity,
  }))

test('[SV6] left, it is locked: nothing in the page, on the disk and in the raw profile; passkey and password open it, and all of it is there', async ({
  crm,
  phone,
  request,
}) => {
  await withPasskeys(phone.page)
  await phone.signIn()
  // nobody has chosen: it is on where a passkey could open it
  await expect(phone.page.getByText('アプリを離れて15分たつと、画面をロックします')).toBeVisible()
  const text = { 'content-type': 'text/plain' }
  await request.post('/__demo/canary', { data: CANARY, headers: text, maxRetries: 2 })
  const { page } = phone
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  const row = await freeRequest(crm)
  // with the lock, what opens is in the memory of the page alone: one that is loaded anew asks
  await expect.poll(() => usableKeys(page)).toBe(0)
  await page.goto('/settings')
  await unlock(page)
  await expect(page.getByRole('radio', { name: '15分' })).toBeChecked()
  await page.getByRole('button', { name: 'パスキーを登録する' }).click()
  await expect(page.getByText('次からパスキーで開けます。')).toBeVisible()
  await expect(page.getByRole('radio', { name: '15分' })).toBeChecked()
  await page.getByText('すぐ', { exact: true }).click()
  await expect(page.getByRole('radio', { name: 'すぐ' })).toBeChecked()
  const byPasskey = page.getByRole('button', { name: 'パスキーで開く' })
  await page.goto('/request')
  await byPasskey.click()
  await expect(page.getByText(CANARY).first()).toBeVisible()
  await expect.poll(async () => (await startOf(page)).calls.length).toBeGreaterThan(0)
  const { calls, rows } = await startOf(page)
  expect(Math.min(...calls)).toBeGreaterThan(rows)
  await phone.offline(true)
  await page.goto(`/noteLocationArea/add/${row.id}`)
  await byPasskey.click()
  await page.getByLabel('メモ').fill(NOTE)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByLabel('メモ')).toBeHidden()
  await page.goto('/request')
  await byPasskey.click()
  await expect(page.getByText(CANARY).first()).toBeVisible()

  await see(page, 'hidden')
  await isLocked(page)
  for (const canary of [CANARY, NOTE]) expect(await readable(page, canary)).toEqual([])
  await see(page, 'visible')
  await isLocked(page)
  await byPasskey.click()
  await expect(page.getByText(CANARY).first()).toBeVisible()
  expect(await usableKeys(page)).toBe(0)

  await see(page, 'hidden')
  await isLocked(page)
  // the session stays (decisions/encryption), in its one place
  const tokens = await tokensOn(page)
  for (const token of tokens) expect(await readable(page, token)).toEqual(TOKENS_AT)
  await phone.context.close()
  for (const canary of [CANARY, NOTE])
    expect([canary, inProfile(phone.profile, canary)]).toEqual([canary, []])
  for (const token of tokens) expect(besideIndexedDb(phone.profile, token)).toEqual([])

  await phone.restart()
  const again = phone.page
  await phone.offline(true)
  await again.goto('/outbox')
  await isLocked(again)
  // the passkey is lost with the authenticator
  const open = again.getByRole('button', { name: '開く', exact: true })
  await again.getByLabel('パスワード').fill('wrong')
  await open.click()
  await expect(again.getByText('パスワードが違います。')).toBeVisible()
  await again.getByLabel('パスワード').fill('password')
  await open.click()
  await expect(again.getByRole('heading', { name: '送信状況' })).toBeVisible()
  await expect(again.getByText(/^未送信 [1-9]件/).first()).toBeVisible()

  expect((await found(again, NOTE)).length).toBeGreaterThan(0)
  expect(await readable(again, NOTE)).toEqual([])
})
