/** The pictures of the login, and of the pages that one comes to instead of another. */
import type { Page } from '@playwright/test'
import type { Shot } from './demo.ts'
import * as fault from './faults.ts'
import * as step from './steps.ts'

export const sessionShots: readonly Shot[] = [
  { name: 'login', heading: 'ログイン', at: '/login', guest: true },
  { name: 'login-error', heading: 'ログイン', at: '/login', guest: true, press: ['ログイン'] },
  {
    name: 'login-autoclose',
    heading: 'ログイン',
    at: '/login?autoclose=yes&userName=demo6',
    guest: true,
    act: step.all(step.fill('パスワード', 'wrong'), step.press('ログイン')),
  },
  { name: 'login-offline', heading: 'ログイン', at: '/login', guest: true, offline: true },
  {
    name: 'request-loading',
    heading: '依頼検索',
    at: '/login',
    guest: true,
    loading: true,
    act: step.signInSlowly,
  },
  { name: 'not-found', heading: /404 Not Found/, at: '/not-found' },
  { name: 'forbidden', heading: /403 Forbidden/, at: '/forbidden' },
  { name: 'internal-server-error', heading: /500 Internal Server Error/, at: '/internal-server-error' },
  { name: 'verify', heading: '写真の照合', at: '/verify' },
  { name: 'error-logs', heading: 'エラーレポート', at: '/error-logs' },
  { name: 'error-logs-some', heading: 'エラーレポート', at: '/error-logs', act: fault.anError },
]

/** The nights have stopped it: what waits for time to pass would wait in vain. */
const clockGoesOn = async (page: Page) => page.clock.setSystemTime(await page.evaluate(() => Date.now()))

/** The screen stays locked. */
export const lastShots: readonly Shot[] = [
  { name: 'demo-control', heading: '送信状況', at: '/outbox', press: ['デモ'] },
  {
    name: 'locked',
    heading: 'ロック中',
    at: '/request',
    act: step.all(step.press('デモの操作を閉じる'), clockGoesOn, step.lockScreen),
  },
  { name: 'locked-wrong', heading: 'ロック中', at: '/request', act: step.wrongPassword },
  { name: 'locked-logout', heading: 'ロック中', at: '/request', press: ['ログアウト'] },
]
