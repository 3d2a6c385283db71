import { type Crm, expect, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'most of a minute: SLOW=1, npm run test:slow')

/** What the pulls read of requests, by the CRM's answer. */
const readsOf = async (crm: Crm, from: number) =>
  (await crm.calls())
    .slice(from)
    .filter(({ method, path }) => method === 'GET' && path.includes('/spa/request/'))

/** Until the CRM has been asked nothing for a while. */
async function quiet(crm: Crm): Promise<number> {
  let before = -1
  await expect
    .poll(
      async () => {
        const same = (await crm.calls()).length === before
        before = (await crm.calls()).length
        return same
      },
      { intervals: [3_000], timeout: 60_000 },
    )
    .toBe(true)
  return before
}

test('[decisions/pull] what has not changed is not sent again, also after a restart; what changed is', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  await expect(phone.page.getByRole('link', { name: /R26-/ }).first()).toBeVisible()
  const first = await quiet(crm)
  expect((await readsOf(crm, 0)).every(({ status }) => status === 200)).toBe(true)

  await phone.restart()
  await phone.page.goto('/request')
  await expect.poll(async () => (await readsOf(crm, first)).length).toBeGreaterThan(0)
  const second = await quiet(crm)
  expect((await readsOf(crm, first)).map(({ status }) => status)).not.toContain(200)

  await phone.page.request.post('/__demo/other-company')
  await phone.page.goto('/request')
  await expect.poll(async () => (await readsOf(crm, second)).map(({ status }) => status)).toContain(200)
})
