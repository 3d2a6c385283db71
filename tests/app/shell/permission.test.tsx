/** Every route of the generated tree with who may open it: a new route fails here until it has a row. */
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { UserFlag } from '#schemas/codes.ts'
import type { Session } from '#schemas/device/session.ts'
import { createAppRouter } from '#app/router.tsx'
import { type Access, routes } from '../../support/routes.ts'

const sessionOf = (userFlag: number): Session => ({
  accessToken: 'access',
  refreshToken: 'refresh',
  userInfo: { id: `u${userFlag}`, userFlag, loginUserName: '大西 修' },
  userName: `demo${userFlag}`,
  expired: false,
})

const urlOf = (href: string) => new URL(href, 'https://app.test')

/** An address opened: the guards run, the screens are not drawn. */
async function routerAt(href: string, session: () => Session | null) {
  const router = createAppRouter(session, () => undefined)
  router.update({ history: createMemoryHistory({ initialEntries: [href] }), context: { session } })
  await router.load()
  return router
}

/** Where an address leads. */
const opened = async (href: string, session: Session | null) =>
  urlOf((await routerAt(href, () => session)).state.location.href)

/** Where an address leads a guest who signs in while it is open. */
async function signedInAt(href: string): Promise<URL> {
  let session: Session | null = null
  const router = await routerAt(href, () => session)
  session = sessionOf(6)
  await router.invalidate()
  return urlOf(router.state.location.href)
}

const pathOf = (href: string) => urlOf(href).pathname
const rows = Object.entries(routes).map(([id, [access, href]]) => ({ id, access, href }))
const of = (access: Access) => rows.filter((row) => row.access === access)
const flags = UserFlag.options.map(({ code }) => Number(code))

test('[spec 6] the table has every route of the app', () => {
  expect(Object.keys(routes).toSorted()).toEqual(
    Object.keys(
      createAppRouter(
        () => null,
        () => undefined,
      ).routesById,
    ).toSorted(),
  )
})

describe.each(of('ip'))('[spec 2][spec 6] $href', ({ href }) => {
  test.each(flags)('userFlag %d', async (flag) => {
    const { pathname } = await opened(href, sessionOf(flag))
    const own = href === '/' ? '/request' : pathOf(href)
    expect(pathname).toBe([5, 6, 7, 8].includes(flag) ? own : '/forbidden')
  })

  test('a guest goes to login, and comes back with the query', async () => {
    const login = await opened(href, null)
    expect(login.pathname).toBe('/login')
    const wanted = urlOf(login.searchParams.get('redirect') ?? '')
    const asked = urlOf(href === '/' ? '/request' : href)
    expect(wanted.pathname).toBe(asked.pathname)
    expect(Object.fromEntries(wanted.searchParams)).toEqual(Object.fromEntries(asked.searchParams))
    // signed in while it stands there, also in another tab: the login page itself leads there
    const back = await signedInAt(`${login.pathname}${login.search}`)
    expect(back.pathname).toBe(asked.pathname)
    expect(Object.fromEntries(back.searchParams)).toEqual(Object.fromEntries(asked.searchParams))
  })
})

describe.each(of('open'))('[spec 2] $href is open', ({ href }) => {
  test.each([null, ...flags])('userFlag %s', async (flag) => {
    const { pathname } = await opened(href, flag === null ? null : sessionOf(flag))
    expect(pathname).toBe(pathOf(href))
  })
})

describe.each(of('guest'))('[spec 2] $href is for guests', ({ href }) => {
  test('a guest stays', async () => expect((await opened(href, null)).pathname).toBe('/login'))
  test('who is signed in already goes to 依頼検索, whatever the query', async () => {
    for (const query of ['', '&autoclose=yes&userName=demo6'])
      expect((await opened(`${href}${query}`, sessionOf(6))).pathname).toBe('/request')
  })
  test('whose session is over stays', async () => {
    const { pathname } = await opened(href, { ...sessionOf(6), expired: true })
    expect(pathname).toBe('/login')
  })
  test('a tab that closes itself after the login stays until it does', async () => {
    expect((await signedInAt(`${href}&autoclose=yes`)).pathname).toBe('/login')
  })
})

test.each([
  '/nowhere',
  '/request/r1/more',
  '/safetyMeasure/s1/edit/more',
  '/settings/nowhere',
  '/login/more',
])('[spec 2] an address that there is not leads to not-found, and its address says so: %s', async (href) => {
  for (const session of [null, sessionOf(6)]) {
    const router = await routerAt(href, () => session)
    render(<RouterProvider router={router} />)
    await waitFor(() => expect(pathOf(router.state.location.href)).toBe('/not-found'))
    cleanup()
  }
})

test('[spec 2] an unknown kind of contact leads to not-found', async () => {
  for (const href of [
    '/locationContactChangeRequest/c1/type3',
    '/locationContactChangeRequest/add/r1/type01',
  ])
    expect((await opened(href, sessionOf(6))).pathname).toBe('/not-found')
})
