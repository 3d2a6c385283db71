/** 定型文 under the long texts of a sheet: at the caret, and the user's own once the sheet is a picture. */
import { waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { draftOf } from '#data/drafts/drafts.ts'
import { sentencesIn } from '#form/phrases.tsx'
import { PHRASES } from '#messages/phrases.ts'
import { PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { jpegFile } from '../../support/image-files.ts'
import { openAdd } from '../safety-measure/open-safety.tsx'

beforeEach(() => {
  const known = { measureText: () => ({ width: 10 }), getImageData: () => ({ data: [0, 0, 0, 255] }) }
  const get = (_: object, name: string) => (name in known ? Reflect.get(known, name) : () => undefined)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
    new Proxy({}, { get, set: () => true }) as never,
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob([jpegFile({ bytes: 300 })], { type: 'image/jpeg' })),
  )
  return () => void vi.restoreAllMocks()
})

test('[issue 55.6][decisions/forms] KY活動表 offers 定型文 under each long text, in the row that it was opened from', async () => {
  const { screen, user, db } = await openAdd('3')
  await user.click(await screen.findByRole('button', { name: /^KY活動表/ }))
  await screen.findByRole('dialog', { name: 'KY活動表' })
  await user.click(screen.getByRole('button', { name: '危険を追加' }))
  const areas = () => screen.getAllByLabelText<HTMLTextAreaElement>(/^(危険のポイント|対策)$/)
  const pick = async (at: number, phrase: string) => {
    await user.click(screen.getAllByRole('button', { name: '定型文' })[at] as HTMLElement)
    const sheet = within(await screen.findByRole('dialog', { name: '定型文' }))
    await user.click(sheet.getByRole('button', { name: phrase }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: '定型文' })).toBeNull())
  }
  const [danger, measure] = [PHRASES.danger[0], PHRASES.measure[0]]
  await user.type(areas()[0] as HTMLElement, '前。後。')
  areas()[0]?.setSelectionRange(2, 2)
  await pick(0, danger)
  await pick(1, measure)
  await pick(2, danger)
  await pick(3, measure)
  expect(areas().map(({ value }) => value)).toEqual([`前。${danger}後。`, measure, danger, measure])
  expect(screen.getAllByRole('button', { name: '定型文' })).toHaveLength(4)

  await user.type(areas()[3] as HTMLElement, '二人で持ち上げる。')
  await user.click(screen.getByRole('button', { name: '写真に追加' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(async () =>
    expect(sentencesIn(JSON.parse((await draftOf(db, PHRASES_DRAFT))?.values ?? '{}'))).toEqual([
      '二人で持ち上げる。',
    ]),
  )
})

test('[issue 55.6] 酸素・硫化水素濃度測定記録 offers it under its two long texts', async () => {
  const { screen, user } = await openAdd('4')
  await user.click(await screen.findByRole('button', { name: /^酸素・硫化水素濃度測定記録/ }))
  const sheet = within(await screen.findByRole('dialog', { name: '酸素・硫化水素濃度測定記録' }))
  const [conditions, action] = sheet.getAllByRole('button', { name: '定型文' })
  for (const [button, label, phrase] of [
    [conditions, 'そのほかの測定条件', PHRASES.condition[1]],
    [action, '講じた措置', PHRASES.action[1]],
  ] as const) {
    await user.click(button as HTMLElement)
    await user.click(await screen.findByRole('button', { name: phrase }))
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(label).value).toBe(phrase))
  }
  expect(sheet.getAllByRole('button', { name: '定型文' })).toHaveLength(2)
})
