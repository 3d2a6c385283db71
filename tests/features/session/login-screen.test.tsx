import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Services } from '#data/context/app-context.tsx'
import { LoginScreen } from '#features/session/login-screen.tsx'
import { renderFeature, testValue } from '../../support/render-feature.tsx'

/** vi's own: some tests here stop the clock, and Testing Library's would wait for it. */
const soon = (check: () => void) => vi.waitFor(check, { timeout: 8_000 })

type Props = Parameters<typeof LoginScreen>[0]

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

const succeeding = () => vi.fn<Services['signIn']>(async () => ({ kind: 'signed-in' }))

async function openLogin(props: Props = {}, { signIn = succeeding(), ...services }: Partial<Services> = {}) {
  const opened = await renderFeature(<LoginScreen {...props} />, {
    path: '/login',
    services: { session: testValue(null), signIn, ...services },
    advanceTimers: vi.advanceTimersByTime,
  })
  const { screen, user } = opened
  return {
    ...opened,
    signIn,
    userName: () => screen.getByLabelText<HTMLInputElement>('ユーザー名'),
    password: () => screen.getByLabelText<HTMLInputElement>('パスワード'),
    unlock: () => pass(900),
    submit: () => user.click(screen.getByRole('button', { name: 'ログイン' })),
  }
}

async function login(props: Props = {}, services: Partial<Services> = {}) {
  const page = await openLogin(props, services)
  page.unlock()
  if (!page.userName().readOnly) {
    await page.user.clear(page.userName())
    await page.user.type(page.userName(), 'demo6')
  }
  await page.user.type(page.password(), 'secret')
  await page.submit()
  return page
}

test('[spec 2] a space that the keyboard added to the user name is not sent, one of the password is', async () => {
  const { user, userName, password, submit, signIn, unlock } = await openLogin()
  unlock()
  await user.type(userName(), ' demo6 ')
  await user.type(password(), 'secret ')
  await submit()
  await soon(() => expect(signIn).toHaveBeenCalledWith({ userName: 'demo6', password: 'secret ' }))
})

describe('[spec 5] empty fields', () => {
  test('both are said to be required, the first has the focus, nothing is sent', async () => {
    const { screen, submit, signIn, userName, password } = await openLogin()
    await submit()
    expect(await screen.findByText('ユーザー名は必須です')).toBeDefined()
    expect(screen.getByText('パスワードは必須です')).toBeDefined()
    expect([userName(), password()].map((field) => field.getAttribute('aria-invalid'))).toEqual([
      'true',
      'true',
    ])
    await soon(() => expect(document.activeElement).toBe(userName()))
    expect(signIn).not.toHaveBeenCalled()
  })

  test('a message goes when its field is filled', async () => {
    const { screen, submit, user, userName } = await openLogin()
    await submit()
    await screen.findByText('ユーザー名は必須です')
    await user.type(userName(), 'd')
    await soon(() => expect(screen.queryByText('ユーザー名は必須です')).toBeNull())
    expect(screen.getByText('パスワードは必須です')).toBeDefined()
  })
})

describe('[spec 2] the page as it opens', () => {
  test('[spec 9] the password is locked for 900 ms: what is typed is not taken, and the field is not read-only', async () => {
    const { password, userName, user } = await openLogin()
    await user.type(userName(), 'demo6')
    await user.type(password(), 'a')
    pass(800)
    await user.type(password(), 'b')
    expect([userName().value, password().value, password().readOnly]).toEqual(['demo6', '', false])
    pass(100)
    await user.type(password(), 'c')
    expect(password().value).toBe('c')
  })

  test('[spec 2] a login that the browser filled in, without an event, stands there and is sent', async () => {
    const { userName, password, unlock, submit, signIn } = await openLogin()
    userName().value = 'demo6'
    password().value = 'saved secret'
    unlock()
    expect([userName().value, password().value]).toEqual(['demo6', 'saved secret'])
    await submit()
    await soon(() => expect(signIn).toHaveBeenCalledWith({ userName: 'demo6', password: 'saved secret' }))
  })

  test('[spec 2] a login that the browser fills in with an event is sent in the first moments, too', async () => {
    const { userName, password, submit, signIn } = await openLogin()
    act(() => {
      for (const [field, text] of [
        [userName(), 'demo6'],
        [password(), 'saved secret'],
      ] as const) {
        field.value = text
        field.dispatchEvent(new InputEvent('input', { inputType: 'insertReplacementText', bubbles: true }))
      }
    })
    await submit()
    await soon(() => expect(signIn).toHaveBeenCalledWith({ userName: 'demo6', password: 'saved secret' }))
  })

  test('shows the product, the day and the connection', async () => {
    const { screen } = await openLogin({}, { online: testValue(false) })
    expect(screen.getByText('2026年11月20日（金）')).toBeDefined()
    expect(screen.getByText('オフライン')).toBeDefined()
    expect(screen.getByRole('status').textContent).toContain('前回と同じパスワードで開けます。')
    expect(document.title).toBe('ログイン | 現場ワーク')
  })

  test('after a session timeout it says so and knows the user', async () => {
    const { screen, userName } = await openLogin({ timedOut: true, userName: 'demo6' })
    expect(screen.getByRole('alert').textContent).toBe('セッション情報が切れました。再ログインしてください。')
    expect(userName().value).toBe('demo6')
    expect(userName().readOnly).toBe(false)
  })

  test('after a timeout and without a signal, what is on the device can be looked at', async () => {
    const online = testValue(false)
    const { screen } = await openLogin({ timedOut: true, userName: 'demo6' }, { online })
    expect(screen.getByRole('link', { name: '保存済の依頼を見る' }).getAttribute('href')).toBe('/request')
    act(() => online.set(true))
    expect(screen.queryByRole('link', { name: '保存済の依頼を見る' })).toBeNull()
  })

  test('in the tab of the timeout banner the user is fixed', async () => {
    const { userName } = await openLogin({ autoclose: true, userName: 'demo6' })
    expect(userName().value).toBe('demo6')
    expect(userName().readOnly).toBe(true)
  })
})

describe('the demo', () => {
  test('says who there is and fills the form in', async () => {
    const { screen, user, userName, password } = await openLogin({}, { isDemo: true })
    await user.click(screen.getByRole('button', { name: 'デモ用に入力' }))
    expect([userName().value, password().value]).toEqual(['demo6', 'password'])
  })

  test('the product does not', async () => {
    const { screen } = await openLogin()
    expect(screen.queryByRole('button', { name: 'デモ用に入力' })).toBeNull()
  })
})

describe('[spec 2] after a login', () => {
  test.each([
    [undefined, '/request'],
    ['/outbox', '/outbox'],
    ['/request/r1?workingDate=2026-11-20', '/request/r1?workingDate=2026-11-20'],
    ['/forbidden', '/request'],
    ['https://evil.example/', '/request'],
    ['//evil.example/', '/request'],
  ])('redirect %s leads to %s', async (redirect, target) => {
    const { signIn, href } = await login(redirect === undefined ? {} : { redirect })
    await soon(() => expect(href()).toBe(target))
    expect(signIn).toHaveBeenCalledWith({ userName: 'demo6', password: 'secret' })
  })

  test('the tab of the timeout banner closes itself', async () => {
    const close = vi.spyOn(window, 'close').mockReturnValue(undefined)
    const { href } = await login({ autoclose: true, userName: 'demo6' })
    await soon(() => expect(close).toHaveBeenCalledOnce())
    expect(href()).toBe('/login')
    close.mockRestore()
  })

  test('[decisions/screens] a tab that cannot close itself says what to do, and goes on', async () => {
    const close = vi.spyOn(window, 'close').mockReturnValue(undefined)
    const { services, href } = await login({ autoclose: true, userName: 'demo6', redirect: '/outbox' })
    await soon(() => expect(close).toHaveBeenCalledOnce())
    pass(500)
    await soon(() => expect(href()).toBe('/outbox'))
    expect(services.flash.get().map(({ text }) => text)).toEqual([
      'ログインしました。このタブを閉じて元の画面に戻るか、このまま続けられます。',
    ])
    close.mockRestore()
  })
})

const failing = () => ({
  signIn: vi.fn<Services['signIn']>(async () => ({
    kind: 'failed',
    message: 'ユーザー名、パスワードが間違っています',
  })),
})

describe('[spec 8] a login that fails', () => {
  test('says why, clears the password, keeps the name', async () => {
    const { screen, userName, password, href } = await login({}, failing())
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('ユーザー名、パスワードが間違っています')
    expect([userName().value, password().value]).toEqual(['demo6', ''])
    expect(screen.queryByText('パスワードは必須です')).toBeNull()
    expect(href()).toBe('/login')
  })

  test('can be tried again', async () => {
    const { user, screen, password, submit, signIn } = await login({}, failing())
    await screen.findByRole('alert')
    await user.type(password(), 'other')
    await submit()
    await soon(() => expect(signIn).toHaveBeenCalledTimes(2))
    expect(signIn).toHaveBeenLastCalledWith({ userName: 'demo6', password: 'other' })
  })
})

describe('[SV1] a login that the device does not take is said: there are no banners here', () => {
  const missing = Object.assign(new TypeError('not on this device: sign-in'), { name: 'MissingCode' })
  test.each([
    ['it has no room', new DOMException('no room', 'QuotaExceededError'), /空き容量が足りない/],
    ['its code cannot be had', missing, /電波がないためログインできません/],
    ['anything else', new Error('x'), /予期しないエラーが発生しました/],
  ])('%s', async (_, error, text) => {
    const signIn = vi.fn<Services['signIn']>(async () => {
      throw error
    })
    const { screen, services, userName, password } = await login({}, { signIn })
    expect((await screen.findByRole('alert')).textContent).toMatch(text)
    expect([userName().value, password().value]).toEqual(['demo6', ''])
    expect(services.errorLog.note).toHaveBeenCalledWith(error)
  })
})

test('[spec 5] while one submit runs, the button is busy and a second is ignored', async () => {
  const answers: ((result: { kind: 'signed-in' }) => void)[] = []
  const waiting = vi.fn<Services['signIn']>(() => new Promise((resolve) => answers.push(resolve)))
  const { screen, user, submit, signIn, href } = await login({}, { signIn: waiting })
  const button = screen.getByRole('button', { name: 'ログイン' })
  await soon(() => expect(button.getAttribute('aria-busy')).toBe('true'))
  await submit()
  await user.keyboard('{Enter}')
  expect(signIn).toHaveBeenCalledOnce()
  answers[0]?.({ kind: 'signed-in' })
  await soon(() => expect(href()).toBe('/request'))
})

test('[SV1e] a login that the device never ends says so after ten seconds, with a way on', async () => {
  const { screen } = await login({}, { signIn: () => new Promise(() => undefined) })
  await soon(() =>
    expect(screen.getByRole('button', { name: 'ログイン' }).getAttribute('aria-busy')).toBe('true'),
  )
  await vi.advanceTimersByTimeAsync(9_000)
  expect(screen.queryByText(/読み込みに時間がかかっています/)).toBeNull()
  await vi.advanceTimersByTimeAsync(2_000)
  await soon(() => expect(screen.getByText(/読み込みに時間がかかっています/)).toBeTruthy())
  expect(screen.getByRole('button', { name: '読み込み直す' })).toBeTruthy()
})
