/** 変更の記録 and 他社が変更 of a report, and how one's own text comes back. */
import { cleanup, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { ReplacedValue } from '#schemas/change.ts'
import { othersEntry } from '#schemas/change-history.ts'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { QuickReportEditScreen } from '#features/quick-report/quick-report-edit-screen.tsx'
import { QuickReportViewScreen } from '#features/quick-report/quick-report-view-screen.tsx'
import { renderFeature } from '../../support/render-feature.tsx'
import { reportOn } from '../../support/visit-records.ts'
import { DAY, exited, prepare } from './open-report.tsx'
import { storeView } from '../../support/stored-views.ts'

const STAMP = `${Date.parse(`${DAY}T10:05:00+09:00`)}-0000-test`
const others = [
  othersEntry({ field: 'reportContent', before: '自分の報告', after: '部品待ち', stamp: STAMP }),
  othersEntry({ field: 'type', before: '1', after: '2', stamp: STAMP }),
]
const place = { path: '/quickReport/$id', href: '/quickReport/q-1' } as const

async function openRecord(
  history: ReplacedValue[] = others,
  server: Parameters<typeof reportOn>[1] = exited,
) {
  const kept = await prepare({ reports: [{ ...reportOn('1', server), history }] })
  const opened = await renderFeature(<QuickReportViewScreen id="q-1" />, { ...place, ...kept })
  return { kept, ...opened }
}

describe('[MG5] 変更の記録', () => {
  test('says what another company changed: before, after, and when it was seen', async () => {
    const { screen } = await openRecord()
    const history = within(await screen.findByRole('region', { name: '変更の記録' }))
    for (const text of ['前：自分の報告', '後：部品待ち', '前：作業完了', '後：作業未完了', '11月20日 10:05'])
      expect(history.getByText(text)).toBeTruthy()
    expect(history.getAllByText('他社が変更').length).toBeGreaterThan(1)
  })

  test('a value of theirs that an edit here replaced is told, without a mark', async () => {
    const { screen } = await openRecord([{ field: 'reportContent', value: '他社の報告', stamp: `${STAMP}~` }])
    const history = within(await screen.findByRole('region', { name: '変更の記録' }))
    expect(history.getByText('他社の報告')).toBeTruthy()
    expect(history.queryByText('他社が変更')).toBeNull()
    expect(history.queryByRole('button')).toBeNull()
  })

  test('is not there where nothing was replaced', async () => {
    const { screen } = await openRecord([])
    await screen.findByText('部品待ち')
    expect(screen.queryByRole('region', { name: '変更の記録' })).toBeNull()
  })

  test('one’s own text is taken back into the form, where it is saved or given up', async () => {
    const { screen, user, kept, href } = await openRecord()
    await user.click(await screen.findByRole('button', { name: '変更前の内容をフォームに戻す' }))
    await waitFor(() => expect(href()).toBe('/quickReport/q-1/edit'))
    cleanup()
    const form = await renderFeature(<QuickReportEditScreen id="q-1" />, {
      path: '/quickReport/$id/edit',
      href: '/quickReport/q-1/edit',
      ...kept,
    })
    expect(await form.screen.findByText('入力途中の内容を復元しました。')).toBeTruthy()
    const content = form.screen.getByRole<HTMLTextAreaElement>('textbox', { name: /その他報告内容/ })
    expect(content.value).toBe('自分の報告')
    expect(form.screen.getByRole<HTMLInputElement>('radio', { name: '作業完了' }).checked).toBe(true)
  })

  test('[MG2] it alone comes back: what others have written since stays', async () => {
    const own = othersEntry({ field: 'reportContent', before: '自分の報告', after: '部品待ち', stamp: STAMP })
    const { screen, user, kept, href } = await openRecord([own])
    await user.click(await screen.findByRole('button', { name: '変更前の内容をフォームに戻す' }))
    await waitFor(() => expect(href()).toBe('/quickReport/q-1/edit'))
    cleanup()
    const theirs = reportOn('1', { ...exited, type: '1', reason1: null, stamp: '2' })
    await storeView(kept.db, 'quickReports', { ...theirs, history: [own] })
    const form = await renderFeature(<QuickReportEditScreen id="q-1" />, {
      path: '/quickReport/$id/edit',
      href: '/quickReport/q-1/edit',
      ...kept,
    })
    const content = await form.screen.findByRole<HTMLTextAreaElement>('textbox', { name: /その他報告内容/ })
    await waitFor(() => expect(content.value).toBe('自分の報告'))
    expect(form.screen.getByRole<HTMLInputElement>('radio', { name: '作業完了' }).checked).toBe(true)
  })

  test('what can no longer be edited cannot be taken back', async () => {
    const { screen } = await openRecord(others, { ...exited, editStatus: 'NG' })
    await screen.findByRole('region', { name: '変更の記録' })
    expect(screen.queryByRole('button', { name: '変更前の内容をフォームに戻す' })).toBeNull()
  })
})

describe('[MG5] 他社が変更 on the row', () => {
  test.each([
    ['their word stands', exited, 1],
    ['it was changed since', { ...exited, type: '1', reason1: null, reportContent: '直した' }, 0],
  ])('%s', async (_, server, marks) => {
    const { db, services } = await prepare({ reports: [{ ...reportOn('1', server), history: others }] })
    const { screen, user } = await renderFeature(<RequestSearchScreen select={false} />, {
      path: '/request',
      db,
      services,
    })
    // what is done is folded, and the fold says it
    const summary = marks > 0 ? /^完了 1件\s*他社が変更 1件$/ : '完了 1件'
    await user.click(await screen.findByRole('button', { name: summary }))
    await screen.findByText(/退館 11:42/)
    expect(screen.queryAllByText('他社が変更')).toHaveLength(marks)
    expect(screen.getByRole('button', { name: '完了 1件' })).toBeDefined()
  })
})
