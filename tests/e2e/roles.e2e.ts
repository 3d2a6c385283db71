/** Whoever may not enter (spec 6) has nothing on the device and makes no call, whatever address is opened and however long. */
import type { Page } from '@playwright/test'
import { routes } from '../support/routes.ts'
import { expect, logIn, test } from './phone.ts'
import { found } from './stores.ts'

test.skip(!process.env['SLOW'], 'a minute or two: SLOW=1, npm run test:slow')

test.use({ serviceWorkers: 'block' })

/** But the logout's: whoever opens it is somebody else. */
const addresses = Object.values(routes).flatMap(([, href]) => (href === '/logout' ? [] : href))

/** The CRM says this role of its user; a CRM that forgets to look would answer every call of theirs. */
async function signInAs(page: Page, userFlag: number) {
  await page.route('**/api/**/login', async (route) => {
    const response = await route.fetch()
    const { userInfo, ...tokens } = (await response.json()) as { userInfo: object }
    return route.fulfill({ response, json: { ...tokens, userInfo: { ...userInfo, userFlag } } })
  })
  await page.goto('/login')
  await logIn(page)
  await expect(page).not.toHaveURL(/login/)
  await page.unrouteAll({ behavior: 'wait' })
}

/** To another screen, as a link does. */
const open = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path)

/** Rows of users' stores; what the app itself keeps (session, error log, files) is none. */
const rows = async (page: Page) =>
  (await found(page, '')).filter((place) => /^(?:rxdb|genba-(?:photos|answers))/.test(place))

test('[spec 6] roles without the permission, on every route for 15 seconds: no rows and no calls; with it there are both', async ({
  crm,
  page,
}) => {
  test.setTimeout(180_000)
  await page.clock.install()
  const calls = async () =>
    (await crm.calls()).map(({ path }) => path).filter((path) => !path.endsWith('/login'))
  for (const userFlag of [0, 1, 2, 3, 4, 9]) {
    await signInAs(page, userFlag)
    for (const href of addresses) {
      await open(page, href)
      await page.clock.fastForward(15_000)
    }
    expect([userFlag, await calls(), await rows(page)]).toEqual([userFlag, [], []])
    await page.goto('/logout')
    await expect(page.getByRole('heading', { name: 'ログイン', exact: true })).toBeVisible()
  }
  await signInAs(page, 5)
  await expect.poll(async () => (await rows(page)).length).toBeGreaterThan(0)
  await expect.poll(async () => (await calls()).length).toBeGreaterThan(0)
})
