/** Every route of the generated tree with who may open it: a new route fails here until it has a row. */
import { createMemoryHistory } from '@tanstack/react-router'
import { describe, expect, test } from 'vitest'
import { UserFlag } from '#schemas/codes.ts'
import type { Session } from '#schemas/session.ts'
import { createAppRouter } from '#app/router.tsx'

/** ip: behind login and the permission {ip}; guest: without a session only; open: anyone; none: no screen of its own. */
type Access = 'ip' | 'guest' | 'open' | 'none'

const routes: Record<string, [access: Access, href: string]> = {
  __root__: ['none', '/'],
  '/_app': ['none', '/'],
  '/': ['ip', '/'],
  '/login': ['guest', '/login?redirect=%2Foutbox'],
  '/logout': ['open', '/logout'],
  '/not-found': ['open', '/not-found'],
  '/forbidden': ['open', '/forbidden'],
  '/internal-server-error': ['open', '/internal-server-error'],
  '/error-logs': ['open', '/error-logs'],
  '/_app/request/': ['ip', '/request?select=true'],
  '/_app/request/$id': ['ip', '/request/r1?workingDate=2026-11-20'],
  '/_app/outbox': ['ip', '/outbox'],
  '/_app/settings': ['ip', '/settings'],
  '/_app/quickReport/add/$quickReportId': ['ip', '/quickReport/add/q1?other=q2,q3'],
  '/_app/quickReport/$id': ['ip', '/quickReport/q1'],
  '/_app/quickReport/$id_/edit': ['ip', '/quickReport/q1/edit'],
  '/_app/emergencyReport/add/$id': ['ip', '/emergencyReport/add/r1?workingDate=2026-11-20'],
  '/_app/emergencyReport/$id': ['ip', '/emergencyReport/r1?workingDate=2026-11-20'],
  '/_app/emergencyReport/$id_/edit': ['ip', '/emergencyReport/e1/edit'],
  '/_app/noteLocationArea/$otherId': ['ip', '/noteLocationArea/a1?type=1&workingDate=2026-11-20'],
  '/_app/noteLocationArea/add/$requestId': ['ip', '/noteLocationArea/add/r1'],
  '/_app/noteLocationArea/$id_/edit': ['ip', '/noteLocationArea/n1/edit'],
  '/_app/report/$deviceId': ['ip', '/report/d1'],
  '/_app/safetyMeasure/select/$requestId': ['ip', '/safetyMeasure/select/r1?workingDate=2026-11-20'],
  '/_app/safetyMeasure/add': ['ip', '/safetyMeasure/add?requestId=r1&safetyType=1&workingDate=2026-11-20'],
  '/_app/safetyMeasure/$id': ['ip', '/safetyMeasure/s1'],
  '/_app/safetyMeasure/$id_/edit': ['ip', '/safetyMeasure/s1/edit'],
  '/_app/customerLocationChangeRequest/add/$requestId': ['ip', '/customerLocationChangeRequest/add/r1'],
  '/_app/customerLocationChangeRequest/$id': ['ip', '/customerLocationChangeRequest/c1'],
  '/_app/customerLocationChangeRequest/$id_/edit': ['ip', '/customerLocationChangeRequest/c1/edit'],
  '/_app/locationContactChangeRequest/add/$requestId/$type': [
    'ip',
    '/locationContactChangeRequest/add/r1/type1',
  ],
  '/_app/locationContactChangeRequest/$id/$type': ['ip', '/locationContactChangeRequest/c1/type2'],
  '/_app/locationContactChangeRequest/$id/edit/$type': ['ip', '/locationContactChangeRequest/c1/edit/type1'],
}

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

test('[spec 2] an unknown kind of contact leads to not-found', async () => {
  for (const href of [
    '/locationContactChangeRequest/c1/type3',
    '/locationContactChangeRequest/add/r1/type01',
  ])
    expect((await opened(href, sessionOf(6))).pathname).toBe('/not-found')
})
