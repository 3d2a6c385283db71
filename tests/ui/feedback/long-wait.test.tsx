/** A screen or a save that waits for more than ten seconds tells the user, with a button that reloads the page. */
import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReactElement } from 'react'
import { useSave } from '#features/request-form/use-save.ts'
import { UnsavedNotice } from '#features/request-form/notices.tsx'
import { ListSkeleton, ViewSkeleton } from '#ui/request/skeleton.tsx'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const SAID = '読み込みに時間がかかっています。変わらないときは、読み込み直してください。'

const waits: [string, ReactElement][] = [
  ['a list', <ListSkeleton key="list" />],
  ['a record', <ViewSkeleton key="view" />],
]
test.each(waits)('[SV1] %s that is not read says so after ten seconds, with a way on', async (_, wait) => {
  const { screen } = await renderFeature(wait)
  await act(() => vi.advanceTimersByTimeAsync(9_000))
  expect(screen.getByRole('status').textContent).toBe('読み込み中')
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(screen.getByText(SAID)).toBeTruthy()
  expect(screen.getByRole('button', { name: '読み込み直す' })).toBeTruthy()
})

const NOT_YET = 'まだ保存できていません'

test('[SV1] a save that the device neither takes nor refuses is said to be none, until it is one', async () => {
  let letGo = (): void => undefined
  const over = new Promise<void>((resolve) => (letGo = resolve))
  function Form() {
    const submit = useSave('noteLocationArea', 'add')
    const save = () => submit({ write: () => over, leave: () => undefined })
    return (
      <>
        <button onClick={() => void save()}>保存</button>
        <UnsavedNotice />
      </>
    )
  }
  const { screen } = await renderFeature(<Form />, { db: await openTestDatabase() })
  act(() => screen.getByRole('button', { name: '保存' }).click())
  await act(() => vi.advanceTimersByTimeAsync(9_000))
  expect(screen.queryByText(NOT_YET)).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(screen.getByText(NOT_YET)).toBeTruthy()
  await act(async () => letGo())
  expect(screen.queryByText(NOT_YET)).toBeNull()
})
