/** One save, one story: the banner of a save, on the real database. */
import { waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { blankFacts, effectiveChanges } from '#schemas/changes/change-queue.ts'
import { withUnsent } from '#schemas/changes/photo-queue.ts'
import { savePhotos } from '#data/photos/photos.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { testSession } from '../../support/render-feature.tsx'
import { ENTERED, LEFT, requestOn } from '../../support/visit-records.ts'
import { reportIn } from '../../features/emergency-report/open-emergency.tsx'
import { DAY, expectBanners, OFFLINE, openStory, SAVED, SENDING } from './open-story.ts'
import { storeFacts, storeView, viewIn } from '../../support/stored-views.ts'

describe('[ST1][spec 4] the banner of a save', () => {
  test('says that it is being sent, and 正常に保存されました only once the CRM has it', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await expectBanners(opened, ['info', SENDING])
    await opened.put(id, { state: 'sending' })
    await expectBanners(opened, ['info', SENDING])
    await opened.accept(id)
    await expectBanners(opened, ['success', SAVED])
  })

  test.each([
    [['1'], '緊急報告登録：第一ビル'],
    [['1', '2'], '緊急報告登録（2件）：第一ビル'],
    [['unknown'], '緊急報告登録'],
  ])('names the record and its place, while it is sent and when it was: %s', async (ids, title) => {
    const request = requestOn('1', DAY, { locationName: '第一ビル' })
    const opened = await openStory({ before: (db) => db.requests.insert(request) })
    const made = await opened.save(ids)
    await waitFor(() => expect(opened.titles()).toEqual([title]))
    for (const id of made) await opened.accept(id)
    await expectBanners(opened, ['success', SAVED])
    expect(opened.titles()).toEqual([title])
  })

  test('元に戻す is said of the record that was saved', async () => {
    const request = requestOn('1', DAY, { locationName: '第一ビル' })
    const opened = await openStory({ before: (db) => db.requests.insert(request) })
    opened.online.set(false)
    await opened.save()
    await waitFor(() => expect(opened.flash.get()[0]?.act?.text).toBe('元に戻す'))
    await waitFor(() => expect(opened.titles()).toEqual(['緊急報告登録：第一ビル']))
    opened.flash.get()[0]?.act?.run()
    await expectBanners(opened, ['info', '保存を元に戻しています'])
    expect(opened.titles()).toEqual(['緊急報告登録：第一ビル'])
  })

  test.each([
    [['承りました。'], ['info', '承りました。']],
    [['ec00010'], ['info', '確認済のため、更新できません。']],
    [[], ['success', SAVED]],
  ] as const)('[spec 8] 200: what the CRM says of it (%j) is told as info', async (reasons, banner) => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await expectBanners(opened, ['info', SENDING])
    await opened.put(id, { state: 'sending' })
    await opened.accept(id, [...reasons])
    await expectBanners(opened, [...banner])
  })

  test('photos are a part of it', async () => {
    const opened = await openStory({ before: (db) => storeView(db, 'emergencyReports', reportIn('e1')) })
    const { saver, stamps } = opened.saverOf()
    const photo = {
      key: 'p1',
      resource: 'emergencyReports',
      recordKey: 'e1',
      requestId: '1',
      workingDate: DAY,
      name: 'a.jpg',
      size: 1,
      type: 'image/jpeg' as const,
      placeInfo: '',
      takenAt: ENTERED,
    }
    await savePhotos(saver, [photo])
    opened.telling.saved(stamps, '/', null)
    await expectBanners(opened, ['info', SENDING])
    const doc = await opened.db.photos.findOne('p1').exec(true)
    await storeFacts(opened.db, {
      ...blankFacts({
        record: {
          resource: 'photos',
          key: 'p1',
          requestId: '1',
          workingDate: DAY,
        },
        change: {
          id: 'p1',
          stamp: doc.stamp,
          savedAt: ENTERED,
          kind: 'upload',
        },
      }),
      state: 'accepted',
    })
    await expectBanners(opened, ['info', SENDING])
    await doc.incrementalModify((each) => withUnsent({ ...each, fileSeq: 'f1', storeName: each.name }))
    await expectBanners(opened, ['success', SAVED])
  })

  test('without a signal it says so, and nothing more: the queue says when it was sent (ST2)', async () => {
    const opened = await openStory()
    opened.online.set(false)
    const [id = ''] = await opened.save()
    await expectBanners(opened, ['warning', OFFLINE])
    opened.online.set(true)
    await opened.accept(id)
    await expectBanners(opened, ['warning', OFFLINE])
  })

  test('the signal goes while it is being sent', async () => {
    const opened = await openStory()
    await opened.save()
    await expectBanners(opened, ['info', SENDING])
    opened.online.set(false)
    await expectBanners(opened, ['warning', OFFLINE])
  })

  test('the session is over', async () => {
    const opened = await openStory()
    await opened.save()
    opened.session.set({ ...testSession, expired: true })
    await expectBanners(opened, ['warning', '保存しました。再ログインすると送信します。'])
  })

  test('[ST3] the CRM does not take it now', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.put(id, { state: 'waiting', status: 503 })
    await expectBanners(opened, ['info', '保存しました。CRMが受け付けられるようになると送信します。'])
    await opened.put(id, { state: 'sending' })
    await expectBanners(opened, ['info', SENDING])
    await opened.accept(id)
    await expectBanners(opened, ['success', SAVED])
  })

  test('what waits for a refused one does not pretend to be sent', async () => {
    const opened = await openStory()
    const first = opened.saverOf()
    await saveEntry(first.saver, [requestOn('1', DAY)], ENTERED)
    const record = await viewIn(opened.db, 'quickReports')
    const [entry] = effectiveChanges(record.changes)
    if (!entry) throw new Error('saved')
    const item = { record: { resource: 'quickReports', ...record }, change: entry }
    await storeFacts(opened.db, { ...blankFacts(item), state: 'refused', reasons: ['ec00011'] })
    const { saver, stamps } = opened.saverOf()
    const exit = { outTime: LEFT, type: '1', reason1: null, reason2: null, reportContent: null }
    await saveReport(saver, [record], 'exit', exit)
    opened.telling.saved(stamps, '/', null)
    await waitFor(() =>
      expect(opened.texts()).toContainEqual([
        'info',
        '保存しました。先に保存した登録が送信されてから送信します。',
      ]),
    )
  })

  test('given up: it goes', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await expectBanners(opened, ['info', SENDING])
    await opened.put(id, { state: 'discarded' })
    await expectBanners(opened)
  })

  test('nothing had changed: there is nothing to send', async () => {
    const opened = await openStory()
    opened.telling.saved([], '/', null)
    await expectBanners(opened, ['success', SAVED])
  })

  test('of two saves the last one has the banner', async () => {
    const opened = await openStory()
    const [first = ''] = await opened.save()
    const [second = ''] = await opened.save()
    await opened.accept(first)
    await expectBanners(opened, ['info', SENDING])
    await opened.accept(second)
    await expectBanners(opened, ['success', SAVED])
  })
})
