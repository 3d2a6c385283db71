/** The app's own router and guards; the screens are not drawn. */
import { createMemoryHistory } from '@tanstack/react-router'
import { describe, expect, test, vi } from 'vitest'
import type { Session } from '#schemas/device/session.ts'
import { createAppRouter } from '#app/router.tsx'
import { watchTimeout } from '#app/watch-timeout.ts'
import { createFlashStore } from '#data/context/flash-store.ts'
import { atRest } from '../support/at-rest.ts'
import { testValue } from '../support/render-feature.tsx'

const TEXT = 'セッション情報が切れました。再ログインしてください。'
const VALID: Session = {
  accessToken: 'access',
  refreshToken: 'refresh',
  userInfo: { id: 'u6', userFlag: 6, loginUserName: '大西 修' },
  userName: 'demo6',
  expired: false,
}
const EXPIRED = { ...VALID, expired: true }
const INVALID = { ...EXPIRED, tokenInvalid: true }

async function open(href: string, { session = VALID as Session | null, online = true, focus = true } = {}) {
  const sessions = testValue<Session | null>(session)
  const signal = testValue(online)
  const flash = createFlashStore()
  const router = createAppRouter(sessions.get, () => undefined)
  router.update({
    history: createMemoryHistory({ initialEntries: ['/request', href], initialIndex: 1 }),
    context: { session: sessions.get },
  })
  const target = new EventTarget()
  const state = { focus }
  const window = Object.assign(target, { document: { hasFocus: () => state.focus } }) as never
  const question = watchTimeout({
    flash,
    session: sessions,
    online: signal,
    text: () => TEXT,
    router,
    window,
  })
  await router.load()
  return {
    sessions,
    signal,
    question,
    router,
    href: () => router.state.location.href,
    banner: () => flash.get().find(({ mode }) => mode === 'timeout')?.text,
    goOn: () => router.navigate({ to: '/emergencyReport/add/$id', params: { id: 'r1' }, search: {} }),
    focus() {
      state.focus = true
      target.dispatchEvent(new Event('focus'))
    },
  }
}

describe('[spec 4][spec 8] a session that times out', () => {
  test.each([
    '/emergencyReport/add/r1?workingDate=2026-11-20',
    '/request/r1?workingDate=2026-11-20&popup=entry',
    '/outbox',
    '/settings',
  ])('%s: goes to logout, with the way back', async (at) => {
    const { sessions, href, banner } = await open(at)
    expect(banner()).toBeUndefined()
    sessions.set(EXPIRED)
    await vi.waitFor(() => expect(href()).toMatch(/^\/logout/))
    const { searchParams } = new URL(href(), 'https://app.test')
    const back = new URL(searchParams.get('redirect') ?? '', 'https://app.test')
    const from = new URL(at, 'https://app.test')
    expect(back.pathname).toBe(from.pathname)
    expect(Object.fromEntries(back.searchParams)).toEqual(Object.fromEntries(from.searchParams))
    expect(banner()).toBe(TEXT)
  })

  test('依頼検索 stays, with the banner; from there any other screen leads to logout', async () => {
    const { sessions, href, banner, goOn } = await open('/request')
    sessions.set(EXPIRED)
    await atRest()
    expect([href(), banner()]).toEqual(['/request', TEXT])
    await goOn()
    await vi.waitFor(() => expect(href()).toMatch(/^\/logout/))
  })

  test.each(['/login', '/not-found', '/error-logs'])('%s, which is open to all, stays', async (at) => {
    const { sessions, href } = await open(at, { session: EXPIRED })
    sessions.set({ ...EXPIRED })
    await atRest()
    expect(href()).toBe(at)
  })

  test('without a signal one works on under the banner; when it returns, the way to the login is taken', async () => {
    const { sessions, signal, href, banner } = await open('/emergencyReport/add/r1', { online: false })
    sessions.set(EXPIRED)
    await atRest()
    expect([href(), banner()]).toEqual(['/emergencyReport/add/r1', TEXT])
    signal.set(true)
    await vi.waitFor(() => expect(href()).toMatch(/^\/logout/))
  })

  test('one that no CRM was asked for stays on every screen while none answers; the return of the signal leads to the login', async () => {
    const { sessions, signal, router, href, banner, goOn } = await open('/outbox', { session: null })
    sessions.set({ ...EXPIRED, accessToken: '', refreshToken: '' })
    await router.navigate({ to: '/request', search: {} })
    await goOn()
    await atRest()
    expect([href(), banner()]).toEqual(['/emergencyReport/add/r1', TEXT])
    signal.set(false)
    signal.set(true)
    await vi.waitFor(() => expect(href()).toMatch(/^\/logout/))
  })

  test('an app opened with one goes to logout, too', async () => {
    const { href } = await open('/outbox', { session: EXPIRED })
    await vi.waitFor(() => expect(href()).toMatch(/^\/logout/))
  })

  test('who goes back from the login stays there, under the banner', async () => {
    const { sessions, router, href, goOn } = await open('/outbox')
    sessions.set(EXPIRED)
    await vi.waitFor(() => expect(href()).toMatch(/^\/logout/))
    await router.navigate({ to: '/request', search: {} })
    await goOn()
    await atRest()
    expect(href()).toBe('/emergencyReport/add/r1')
  })
})

describe('[spec 8] INVALID_TOKEN', () => {
  test.each(['/emergencyReport/add/r1', '/request'])(
    '%s: asked first; ログイン leads to logout',
    async (at) => {
      const { sessions, question, href, banner } = await open(at)
      sessions.set(INVALID)
      await atRest()
      expect([href(), question.asked.get(), banner()]).toEqual([at, true, TEXT])
      question.answer(true)
      await vi.waitFor(() => expect(href()).toBe(`/logout?redirect=${encodeURIComponent(at)}`))
      expect(question.asked.get()).toBe(false)
    },
  )

  test('あとで: one works on under the banner, here and elsewhere', async () => {
    const { sessions, question, href, banner, goOn } = await open('/outbox')
    sessions.set(INVALID)
    question.answer(false)
    await goOn()
    await atRest()
    expect([href(), question.asked.get(), banner()]).toEqual(['/emergencyReport/add/r1', false, TEXT])
  })

  test('without a signal it is asked when the signal returns', async () => {
    const { sessions, signal, question } = await open('/outbox', { online: false })
    sessions.set(INVALID)
    await atRest()
    expect(question.asked.get()).toBe(false)
    signal.set(true)
    expect(question.asked.get()).toBe(true)
  })

  test('a login in another tab takes the question away', async () => {
    const { sessions, question } = await open('/outbox')
    sessions.set(INVALID)
    sessions.set(VALID)
    expect(question.asked.get()).toBe(false)
  })
})

describe('[spec 4] the timeout banner after the login', () => {
  test('stays until the window has the focus again', async () => {
    const { sessions, banner, focus } = await open('/request', { focus: false })
    sessions.set(EXPIRED)
    sessions.set(VALID)
    expect(banner()).toBe(TEXT)
    focus()
    expect(banner()).toBeUndefined()
  })

  test('coming back without a login leaves it', async () => {
    const { sessions, banner, focus } = await open('/request', { focus: false })
    sessions.set(EXPIRED)
    focus()
    expect(banner()).toBe(TEXT)
  })

  test('a session that ends again leads to the login again', async () => {
    const { sessions, router, href } = await open('/outbox')
    sessions.set(EXPIRED)
    await vi.waitFor(() => expect(href()).toMatch(/^\/logout/))
    sessions.set(VALID)
    await router.navigate({ to: '/settings' })
    sessions.set(EXPIRED)
    await vi.waitFor(() => expect(href()).toMatch(/^\/logout\?redirect=%2Fsettings/))
  })
})
