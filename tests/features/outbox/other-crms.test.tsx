/** 送信状況 of a phone with several CRMs: a group for each that is not on the screen (sync RULES SV5, decisions/config). */
import { within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { CrmState } from '#data/context/app-context.tsx'
import { unsentElsewhere } from '#data/context/other-crms.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { LoginCrms } from '#features/session/login-crms.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'

const crmState = (scope: string, name: string, over: Partial<CrmState> = {}): CrmState => ({
  ...{ scope, name, isShown: false, session: 'open', unsent: 0, failed: false },
  ...over,
})
const SHOWN = crmState('', '東設備', { isShown: true, unsent: 9 })

async function open(crms: CrmState[], ui = <OutboxScreen />) {
  const choose = vi.fn<(scope: string) => void>()
  const services = { crms: { ...testValue<readonly CrmState[]>(crms), choose } }
  const opened = await renderFeature(ui, { path: '/outbox', db: await openTestDatabase(), services })
  return { ...opened, choose }
}

test.each<[Partial<CrmState>, RegExp]>([
  [{}, /自動で送信します/],
  [{ failed: true }, /「再送」か「破棄」/],
  [{ session: 'closed' }, /開けないため、送信できません/],
  [{ session: 'locked' }, /ロックがかかっています。切り替えて開くと送信します/],
  [{ session: 'timed-out' }, /有効期限が切れています/],
  [{ session: 'signed-out' }, /切り替えてログインすると送信します/],
])('[SV5] what waits for another CRM, and what to do: %j', async (over, text) => {
  const { screen, user, choose } = await open([SHOWN, crmState('west', '西工業', { unsent: 2, ...over })])
  const group = await screen.findByRole('region', { name: '西工業：未送信 2件' })
  expect(group.textContent).toMatch(text)
  await user.click(within(group).getByRole('button', { name: '「西工業」に切り替える' }))
  expect(choose).toHaveBeenCalledWith('west')
})

test('[ST1] with something waiting elsewhere nothing says that all is sent', async () => {
  const { screen } = await open([SHOWN, crmState('west', '西工業', { unsent: 2 })])
  await screen.findByRole('region', { name: '西工業：未送信 2件' })
  expect(screen.getByText('東設備：未送信の変更はありません')).toBeTruthy()
  expect(screen.queryByText(/送信を待っている内容も、送信できなかった内容もありません/)).toBeNull()
})

test('[SV5] of one that is named no longer it says so, and there is no way to it', async () => {
  const { screen } = await open([SHOWN, crmState('west', '西工業', { unsent: 2, session: 'removed' })])
  const group = await screen.findByRole('region', { name: '西工業：未送信 2件' })
  expect(group.textContent).toMatch(/一覧から外れている/)
  expect(within(group).queryByRole('button')).toBeNull()
})

test('[decisions/config] with one CRM, or nothing waiting elsewhere, the screen is as it was', async () => {
  const { screen } = await open([SHOWN, crmState('west', '西工業')])
  await screen.findByText('未送信の変更はありません')
  expect(screen.queryByText(/西工業/)).toBeNull()
})

test('[ST1] the count of all leaves out the one on the screen, which counts itself', () => {
  const all = [SHOWN, crmState('a', 'A', { unsent: 2 }), crmState('b', 'B', { unsent: 1, failed: true })]
  expect(unsentElsewhere(all)).toEqual({ unsent: 3, failed: true })
})

test('[decisions/config] the login says which, and offers the others that are named', async () => {
  const crms = [SHOWN, crmState('west', '西工業'), crmState('old', '旧社', { session: 'removed' })]
  const { screen, user, choose } = await open(crms, <LoginCrms />)
  expect((await screen.findByRole('region', { name: '接続先' })).textContent).toContain('東設備')
  expect(screen.getAllByRole('button')).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: '「西工業」に切り替える' }))
  expect(choose).toHaveBeenCalledWith('west')
})
