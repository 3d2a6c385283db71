import { act, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { draftOf, storeValues } from '#data/drafts/drafts.ts'
import { DAY } from '../../support/safety-records.ts'
import { openAdd } from '../safety-measure/open-safety.tsx'

/** Says of each line at once that it is in sight. */
class AllInSight {
  readonly tell: (entries: object[]) => void
  constructor(tell: (entries: object[]) => void) {
    this.tell = tell
  }
  observe(target: Element) {
    queueMicrotask(() => this.tell([{ target, intersectionRatio: 1 }]))
  }
  unobserve() {}
  disconnect() {}
}

afterEach(() => void vi.unstubAllGlobals())

test('[issue 54] the tick of a recorded measurement is set by the record and by nothing else', async () => {
  vi.stubGlobal('IntersectionObserver', AllInSight)
  const { screen, user, db, press, addPhoto } = await openAdd('4')
  const name = /測定して記録した$/
  const tick = async () => (await screen.findByRole<HTMLInputElement>('checkbox', { name })).checked
  await user.click(await screen.findByRole('checkbox', { name }))
  await screen.findByRole('dialog', { name: '酸素・硫化水素濃度測定記録' })
  await press('閉じる')
  expect(await tick()).toBe(false)
  await addPhoto()
  await press('酸欠の対策 すべて確認')
  await screen.findByText('残り 4項目')
  expect(await tick()).toBe(false)
  const key = `sheet/gas/1_${DAY}`
  const [photo] = (await draftOf(db, `safetyMeasure/add/1_${DAY}_4`))?.photos ?? []
  const row = { place: '上部', oxygen: '20.9', sulfide: '0' }
  const values = { fields: {}, rows: [row], pictures: [photo?.key ?? ''] }
  await act(() => storeValues(db, key, values))
  await waitFor(async () => expect(await tick()).toBe(true))
  await act(() => storeValues(db, key, { ...values, rows: [row, { ...row, oxygen: '17.9' }] }))
  await waitFor(async () => expect(await tick()).toBe(false))
  await act(() => storeValues(db, key, values))
  await waitFor(async () => expect(await tick()).toBe(true))
  await press(/pit\.jpgを削除/)
  await waitFor(async () => expect(await tick()).toBe(false))
})
