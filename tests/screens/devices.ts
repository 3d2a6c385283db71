/**
 * The pictures of what a device of its own shows: several CRMs, a passkey, a password that was changed. One after the other on
 * a device with passkeys; each goes on where the one before has ended.
 */
import type { Page } from '@playwright/test'
import { free, type Shot } from './demo.ts'
import * as fault from './faults.ts'
import * as step from './steps.ts'

/** Both are the demo's CRM, under names of their own. */
export const CRMS = [
  { id: 'east', name: '東設備' },
  { id: 'west', name: '西工業' },
]

const changeTo = (name: string) => step.press(`「${name}」に切り替える`)

const logIn =
  (password: string) =>
  async (page: Page): Promise<void> => {
    await step.fill('ユーザー名', 'demo6')(page)
    await step.fill('パスワード', password)(page)
    await step.press('ログイン')(page)
  }

/** A platform authenticator whose passkeys can open what is sealed, and a page that begins when its clock says so. */
export async function withPasskeys(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const begun = Date.now()
    Object.defineProperty(performance, 'timeOrigin', { get: () => begun })
  })
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
}

const logOut = step.all(step.open('/logout'), step.press('はい'), step.loginForm)

/** A note with a photo that cannot be sent. */
const unsentNote = step.all(
  fault.unreachable,
  step.press('追加'),
  step.fill('メモ', '受水槽の鍵は管理室で借ります。'),
  step.takePhoto,
  step.press('保存'),
  step.said(/^未送信 /),
)

/** The bytes of the photo lie under a key that nobody has: what the password opens waits for another one. */
const halfUnderAnother = (page: Page) =>
  page.evaluate(async () => {
    const names = (await indexedDB.databases()).flatMap(({ name = [] }) => name)
    const opening = indexedDB.open(names.find((name) => name.startsWith('genba-aside-')) ?? '')
    await new Promise((done) => opening.addEventListener('success', done))
    const writing = opening.result.transaction('rows', 'readwrite')
    const rows = writing.objectStore('rows')
    const reading = rows.getAll(IDBKeyRange.bound('bytes ', 'bytes!'))
    reading.addEventListener('success', () => {
      for (const found of reading.result)
        rows.put(JSON.parse(JSON.stringify(found, (name, value) => (name === 'key' ? 'another' : value))))
    })
    await new Promise((done) => writing.addEventListener('complete', done))
    opening.result.close()
  })

const openSealed = (password: string) =>
  step.all(step.fill('以前のパスワード', password), step.press('封印を開く'))

export const deviceShots: readonly Shot[] = [
  { name: 'login-crms', heading: 'ログイン', at: '/login', guest: true, act: step.said('東設備') },
  {
    name: 'banner-lock-by-default',
    heading: '依頼検索',
    at: '/request',
    act: step.said('アプリを離れて15分たつと、画面をロックします'),
  },
  {
    name: 'settings-passkey',
    heading: '設定',
    at: '/settings',
    press: ['パスキーを登録する'],
    act: step.all(step.said('次からパスキーで開けます。'), step.toSection('画面のロック')),
  },
  { name: 'settings-crms', heading: '設定', at: '/settings', act: step.toSection('接続先') },
  {
    name: 'outbox-crms',
    heading: '送信状況',
    at: free,
    press: [/^現場メモ一覧/],
    act: step.all(
      unsentNote,
      step.open('/settings'),
      changeTo('西工業'),
      step.loginForm,
      logIn('password'),
      step.said('オフラインで使えます'),
      step.open('/outbox'),
      step.said('東設備：未送信 2件'),
    ),
  },
  {
    name: 'outbox-sealed',
    heading: '送信状況',
    at: '/settings',
    act: step.all(
      changeTo('東設備'),
      logOut,
      fault.anotherPassword,
      fault.lineIsQuick,
      logIn('second'),
      step.press('送信状況で開く'),
    ),
  },
  {
    name: 'outbox-sealed-waits',
    heading: '送信状況',
    at: '/outbox',
    act: step.all(halfUnderAnother, openSealed('password'), openSealed('password')),
  },
  { name: 'locked-passkey', heading: 'ロック中', at: '/request', act: step.lockScreen },
]
