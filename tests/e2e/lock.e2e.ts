/** A phone whose screen is locked (decision 0084): nothing of it is shown or readable, and all of it is there again. */
import type { Page } from '@playwright/test'
import { expect, freeRequest, test } from './phone.ts'
import { found, inProfile, readable } from './stores.ts'

const CANARY = 'CANARYofTheCrm'
const NOTE = 'CANARYofTheNote'

/** A platform authenticator whose passkeys have the PRF. */
async function withPasskeys(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}

/** As the browser tells a page that it is left, or looked at again. */
const see = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((next) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => next })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

/** What of the keys on the disk opens anything. */
const usableKeys = (page: Page) =>
  page.evaluate(async () => {
    const done = <T>(asked: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        asked.addEventListener('success', () => resolve(asked.result))
        asked.addEventListener('error', () => reject(asked.error ?? new Error('IndexedDB')))
      })
    const db = await done(indexedDB.open('genba-keys'))
    const users = (await done(db.transaction('users').objectStore('users').getAll())) as { keys: object[] }[]
    db.close()
    return users
      .flatMap(({ keys }) => keys.flatMap(Object.values))
      .filter((each) => each instanceof CryptoKey).length
  })

const isLocked = async (page: Page) => {
  await expect(page.getByRole('heading', { name: 'ロック中' })).toBeVisible()
  expect(await page.content()).not.toContain('CANARY')
  expect(await page.title()).toBe('ロック中 | 現場ワーク')
  await expect.poll(() => usableKeys(page)).toBe(0)
}

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
  await page.goto('/settings')
  await expect(page.getByRole('radio', { name: '15分' })).toBeChecked()
  await page.getByRole('button', { name: 'パスキーを登録する' }).click()
  await expect(page.getByText('次からパスキーで開けます。')).toBeVisible()
  await expect(page.getByRole('radio', { name: '15分' })).toBeChecked()
  await page.getByText('すぐ', { exact: true }).click()
  await page.goto('/request')
  await expect(page.getByText(CANARY).first()).toBeVisible()
  await phone.offline(true)
  await page.goto(`/noteLocationArea/add/${row.id}`)
  await page.getByLabel('メモ').fill(NOTE)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByLabel('メモ')).toBeHidden()
  await page.goto('/request')
  await expect(page.getByText(CANARY).first()).toBeVisible()

  await see(page, 'hidden')
  await isLocked(page)
  for (const canary of [CANARY, NOTE]) expect(await readable(page, canary)).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('genba:first-rows'))).toBeNull()
  await see(page, 'visible')
  await isLocked(page)
  await page.getByRole('button', { name: 'パスキーで開く' }).click()
  await expect(page.getByText(CANARY).first()).toBeVisible()
  expect(await usableKeys(page)).toBeGreaterThan(0)

  await see(page, 'hidden')
  await isLocked(page)
  await phone.context.close()
  for (const canary of [CANARY, NOTE])
    expect([canary, inProfile(phone.profile, canary)]).toEqual([canary, []])

  await phone.restart()
  const again = phone.page
  await phone.offline(true)
  await again.goto('/outbox')
  await isLocked(again)
  // the passkey is lost with the authenticator
  const slow = await again.context().newCDPSession(again)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const open = again.getByRole('button', { name: '開く', exact: true })
  await again.getByLabel('パスワード').fill('wrong')
  await open.click()
  await expect(again.getByText('パスワードが違います。')).toBeVisible()
  await again.getByLabel('パスワード').fill('password')
  const begun = Date.now()
  await open.click()
  await expect(again.getByRole('heading', { name: '送信状況' })).toBeVisible()
  const took = `${Date.now() - begun} ms from the press to the screen, the CPU slowed 4 times`
  test.info().annotations.push({ type: 'unlock', description: took })
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await expect(again.getByText(/^未送信 [1-9]件/).first()).toBeVisible()

  expect((await found(again, NOTE)).length).toBeGreaterThan(0)
  expect(await readable(again, NOTE)).toEqual([])
})
