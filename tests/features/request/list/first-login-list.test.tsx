/** The list on a device that has just been signed in to: its rows come page by page (decisions/speed). */
import { afterEach, expect, test } from 'vitest'
import { waitFor } from '@testing-library/react'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { openTestDatabase, renderFeature, testClock, testValue } from '../../../support/render-feature.tsx'
import { requestOn } from '../../../support/visit-records.ts'

const DAY = '2026-11-20'
/** Sooner than the list takes rows to have come to an end. */
const PAGE_MS = 200

let coming: ReturnType<typeof setInterval> | undefined
afterEach(() => clearInterval(coming))

async function signedIn() {
  const db = await openTestDatabase()
  const { screen } = await renderFeature(<RequestSearchScreen select={false} />, {
    path: '/request',
    db,
    services: { clock: testClock(() => Date.parse(`${DAY}T09:30:00+09:00`)), online: testValue(true) },
  })
  let count = 0
  // a page of the days after it each time
  coming = setInterval(() => {
    count += 1
    void db.requests.insert(requestOn(`later-${count}`, '2026-11-25'))
  }, PAGE_MS)
  return { screen, db, came: () => count }
}

test('[decisions/speed] the rows of the day asked for are shown while those of later days still come', async () => {
  const { screen, db, came } = await signedIn()
  await waitFor(() => expect(came()).toBeGreaterThan(1))
  await db.requests.insert(requestOn('1', DAY, { locationName: '現場1' }))
  expect(screen.queryByRole('link', { name: /現場1/ })).toBeNull()
  await screen.findByRole('link', { name: /現場1/ }, { timeout: 5_000 })
})

test('[真1][decisions/speed] a day of which nothing has come yet is not said to be empty while other days come', async () => {
  const { screen, db, came } = await signedIn()
  const NONE = '該当するデータがありません。'
  await waitFor(
    () => {
      expect(screen.queryByText(NONE)).toBeNull()
      expect(came()).toBeGreaterThan(6)
    },
    { timeout: 5_000 },
  )
  expect(screen.queryByText(NONE)).toBeNull()
  await db.requests.insert(requestOn('1', DAY, { locationName: '現場1' }))
  await screen.findByRole('link', { name: /現場1/ }, { timeout: 5_000 })
})
