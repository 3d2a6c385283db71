/** What is read ahead of the first render is what the screen then reads: otherwise a start would read twice. */
import { waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { NEVER } from 'rxjs'
import { expect, test } from 'vitest'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { CHOICE, DEFAULT_CHOICE, readAheadOfList } from '#features/request/search/filter.ts'
import { useUserData, type UserData } from '#data/context/app-context.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../../support/render-feature.tsx'

test.each([
  ['the usual days', null],
  ['a week', { ...DEFAULT_CHOICE, quick: 'week' as const }],
  ['all days, for a number', { ...DEFAULT_CHOICE, requestCode: 'R26-1' }],
])('[decisions/speed] the query that is begun ahead is that of the screen: %s', async (_, choice) => {
  const values = new Map([[CHOICE, testValue<string | null>(choice && JSON.stringify(choice))]])
  const store = (key: string) => {
    const value = values.get(key) ?? testValue<string | null>(null)
    values.set(key, value)
    return value
  }
  const seen: (UserData['live'] | undefined)[] = []
  function Screen() {
    const data = useUserData()
    useEffect(() => void seen.push(data?.live), [data])
    return <RequestSearchScreen select={false} />
  }
  const { services } = await renderFeature(<Screen />, {
    path: '/request',
    db: await openTestDatabase(),
    services: { memory: { store } },
  })
  const keys: string[] = []
  const idle = { subscribe: () => () => undefined, get: () => undefined, isReading: () => false }
  const recorder: UserData['live'] = {
    store: (key) => (keys.push(key), idle),
    isReading: () => false,
    stop: () => undefined,
  }
  readAheadOfList(recorder, store(CHOICE).get(), services.clock.now())
  expect(keys).toHaveLength(1)
  // A query that the screen has begun has a value; an unknown key would begin the one that never answers.
  await waitFor(() => expect(seen[0]?.store(keys[0] ?? '', () => NEVER).get()).toBeDefined())
})
