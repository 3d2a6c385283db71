import { expect, test, vi } from 'vitest'
import { buzz, type SignalDevice, watchBadge } from '#app/network/device-signals.ts'
import { quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { openTestDatabase, testValue } from '../../support/render-feature.tsx'
import { openStory } from '../shell/open-story.ts'
import { storeView } from '../../support/stored-views.ts'

const shown = () => {
  const counts: number[] = []
  const device = {
    setAppBadge: async (count?: number) => void counts.push(count ?? -1),
    clearAppBadge: async () => void counts.push(0),
  }
  return { counts, device }
}

test('[ST1] the icon shows how much is unsent, and nothing once its user has gone', async () => {
  const db = await openTestDatabase()
  const { counts, device } = shown()
  const stop = watchBadge(device, db, testValue([]))
  await vi.waitFor(() => expect(counts).toEqual([0]))
  await storeView(db, 'quickReports', quickReportRecord('1', [quickReportChange('entry', '08:56')]))
  await vi.waitFor(() => expect(counts).toEqual([0, 1]))
  stop()
  expect(counts).toEqual([0, 1, 0])
})

test('a device that can neither count nor buzz, or refuses to, goes on', async () => {
  const db = await openTestDatabase()
  const refuses = { clearAppBadge: vi.fn<() => Promise<void>>(async () => Promise.reject(new Error('no'))) }
  const stops = [watchBadge({}, db, testValue([])), watchBadge(refuses, db, testValue([]))]
  await vi.waitFor(() => expect(refuses.clearAppBadge).toHaveBeenCalled())
  for (const stop of stops) stop()
  expect(() => buzz({}, 'saved')).not.toThrow()
})

test('[ST2] a save buzzes once, a refusal once more and otherwise', async () => {
  const vibrate = vi.fn<NonNullable<SignalDevice['vibrate']>>(() => true)
  const opened = await openStory({ buzz: (what) => buzz({ vibrate }, what) })
  const [id = ''] = await opened.save()
  expect(vibrate.mock.calls).toEqual([[30]])
  await opened.refuse(id, ['ec00030'], 202)
  await vi.waitFor(() => expect(vibrate.mock.calls).toEqual([[30], [[60, 80, 60]]]))
  await opened.accept(id)
  expect(vibrate).toHaveBeenCalledTimes(2)
})
