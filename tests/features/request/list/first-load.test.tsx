/** After a first login the requests come page by page: what the list says meanwhile, and from when on it shows rows. */
import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { openTestDatabase, renderFeature } from '../../../support/render-feature.tsx'
import { requestOn, storeVisits, windowWasRead } from '../../../support/visit-records.ts'

const [TODAY, LATER] = ['2026-11-20', '2026-11-22']
const NOT_YET = '依頼がまだ届いていません。届くとここに表示します。'
const READ_AT = '2026-11-20T11:59:00+09:00'

/** The one that is not held up. */
const wait = globalThis.setTimeout
/** Waits until `check` passes, 20 s at most: a fresh clone has yet to compile what is loaded lazily. The screen's clock goes on by 0.2 s at most. */
async function until(check: () => void) {
  for (let tries = 0; ; tries++)
    try {
      return check()
    } catch (error) {
      if (tries > 1_000) throw error
      await act(() => new Promise<void>((done) => void wait(done, 20)))
      await act(() => vi.advanceTimersByTimeAsync(tries < 200 ? 1 : 0))
    }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Until the device was read: what it says then comes after five seconds. */
async function openEmpty() {
  const db = await openTestDatabase()
  const view = await renderFeature(<RequestSearchScreen select={false} />, { path: '/request', db })
  const { screen } = view
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await until(() => expect(screen.queryByRole('heading', { name: '依頼検索' })).toBeTruthy())
  await until(() => {
    vi.advanceTimersByTime(1_000)
    expect(screen.getByText(NOT_YET)).toBeTruthy()
  })
  const come = (id: string, day: string) =>
    act(async () => storeVisits(db, [requestOn(id, day, { locationName: `現場${id}` })]))
  const isLoading = () => expect(screen.queryByText(NOT_YET)).toBeNull()
  return { ...view, db, come, pass, isLoading }
}

test('[spec 2] a row of a later day says that those of today are all there: they are shown at once', async () => {
  const { screen, come, isLoading } = await openEmpty()
  await come('1', TODAY)
  await until(isLoading)
  expect(screen.queryByRole('link', { name: /現場1/ })).toBeNull()
  await come('2', LATER)
  await until(() => expect(screen.getByRole('link', { name: /現場1/ })).toBeTruthy())
})

test('[spec 2] without one they are shown once no further row has come for a moment', async () => {
  const { screen, come, pass, isLoading } = await openEmpty()
  await come('1', TODAY)
  await until(isLoading)
  await pass(500)
  await come('3', TODAY)
  // `11月20日` counts what has come
  await until(() => expect(screen.getByText(/^2件/)).toBeTruthy())
  await pass(500)
  expect(screen.queryByRole('link', { name: /現場1/ })).toBeNull()
  await pass(150)
  await until(() => expect(screen.getAllByRole('link', { name: /現場[13]/ })).toHaveLength(2))
})

test('[真2] of a device that stays empty it is said at once what is known', async () => {
  const { screen, db } = await openEmpty()
  expect(screen.queryByRole('heading', { name: '今日の依頼はありません' })).toBeNull()
  await act(async () => windowWasRead(db, READ_AT))
  await until(() => expect(screen.getByRole('heading', { name: '今日の依頼はありません' })).toBeTruthy())
})
