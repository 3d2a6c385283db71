/** The banner of what was refused, on the real database. */
import { waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import { ENTERED } from '../../support/visit-records.ts'
import { content, reportIn } from '../../features/emergency-report/open-emergency.tsx'
import { AGAIN, DAY, expectBanners, openStory, SAVED } from './open-story.ts'
import { storeFacts, storeView } from '../../support/stored-views.ts'

describe('[OC2][spec 8] the banner of a refusal', () => {
  const NAME = '緊急報告登録を送信できませんでした'
  const REASON =
    'すでに登録されているか、未反映の変更依頼があるため、登録できません。\n担当者にお問い合わせください。'

  test('the save becomes what was refused, why, what to do, and the way to it; no success was said', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.refuse(id, ['ec00030'], 202)
    await expectBanners(opened, ['danger', NAME, REASON])
    expect(opened.flash.get()[0]?.link).toEqual({ path: `/outbox#${id}`, text: '送信状況で確認' })
    expect(opened.flash.get()[0]?.stays).toBe(true)
  })

  test('再送 and accepted: it goes, and the story ends well', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.refuse(id, ['ec00030'], 202)
    await expectBanners(opened, ['danger', NAME, REASON])
    await opened.put(id, { state: 'unknown', reasons: [] })
    await expectBanners(opened, ['info', AGAIN])
    await opened.accept(id)
    await expectBanners(opened, ['success', SAVED])
  })

  test('再送 and refused again: it is said again', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.refuse(id, ['ec00030'], 202)
    await expectBanners(opened, ['danger', NAME, REASON])
    await opened.put(id, { state: 'sending', reasons: [] })
    await expectBanners(opened, ['info', AGAIN])
    await opened.refuse(id, ['ec00010'], 400, `${DAY}T01:05:00.000Z`)
    await expectBanners(opened, [
      'danger',
      NAME,
      '確認済のため、更新できません。\n担当者にお問い合わせください。',
    ])
  })

  test('破棄: it goes', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.refuse(id, ['ec00030'], 202)
    await expectBanners(opened, ['danger', NAME, REASON])
    await opened.put(id, { state: 'discarded' })
    await expectBanners(opened)
  })

  test('several are one banner; one that is resolved leaves the other', async () => {
    const opened = await openStory()
    const [first = '', second = ''] = await opened.save(['1', '2'])
    await opened.refuse(first, ['ec00030'], 202)
    await opened.refuse(second, ['ec00010'])
    await waitFor(() =>
      expect(opened.flash.get()).toMatchObject([{ mode: 'danger', title: '2件を送信できませんでした' }]),
    )
    await opened.put(second, { state: 'discarded' })
    await expectBanners(opened, ['danger', NAME, REASON])
  })

  test('closed by hand it stays closed; the next refusal speaks for itself', async () => {
    const opened = await openStory()
    const [first = '', second = ''] = await opened.save(['1', '2'])
    await opened.refuse(first, ['ec00030'], 202)
    await expectBanners(opened, ['danger', NAME, REASON])
    opened.flash.dismiss(opened.flash.get()[0]?.id ?? 0)
    await opened.refuse(second, ['二つ目'])
    await expectBanners(opened, [
      'danger',
      NAME,
      '二つ目\n内容を確認して直すか、担当者にお問い合わせください。',
    ])
  })

  test('what was refused in an earlier run was told then', async () => {
    const report = { ...reportIn('e9'), serverId: '', unsent: 'yes' as const }
    const change = {
      id: 'c9',
      stamp: '1-0000-test',
      savedAt: ENTERED,
      userId: 'u6',
      offline: false,
      kind: 'create' as const,
      fields: content,
    }
    const opened = await openStory({
      async before(db) {
        await storeView(db, 'emergencyReports', { ...report, changes: [change] })
        const item = { record: { resource: 'emergencyReports', ...report }, change }
        await storeFacts(db, { ...blankFacts(item), state: 'refused', reasons: ['ec00030'] })
      },
    })
    const [id = ''] = await opened.save()
    await opened.accept(id)
    await expectBanners(opened, ['success', SAVED])
  })

  test('logout takes them away', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.refuse(id, ['ec00030'], 202)
    await expectBanners(opened, ['danger', NAME, REASON])
    opened.telling.stop()
    expect(opened.texts()).toEqual([])
  })
})
