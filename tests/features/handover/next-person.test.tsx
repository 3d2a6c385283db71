import { waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { requestOn } from '../../support/visit-records.ts'
import { DAY, openAdd, openEdit } from '../quick-report/open-report.tsx'

describe('[issue 54] 次の担当者へ at the exit', () => {
  test('[draft] one tap opens a note without a question; what was typed of the exit stays a draft', async () => {
    const { screen, user, db, choose, router } = await openAdd()
    await choose('作業完了')
    await user.type(await screen.findByLabelText('その他報告内容'), '弁の清掃')
    const link = await screen.findByRole('link', {
      name: /^次の担当者へ.*この現場に入るすべての会社に表示されます/,
    })
    await user.click(link)
    await waitFor(() => expect(router.state.location.href).toBe('/noteLocationArea/add/1'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    const draft = async () => (await db.drafts.findOne(`quickReport/add/1_${DAY}`).exec())?.values
    await waitFor(async () => expect(await draft()).toContain('弁の清掃'))
  })

  test('[spec 1] without a signal it leads nowhere, and says why', async () => {
    const { screen } = await openAdd({ online: false })
    const link = await screen.findByRole('link', { name: /^次の担当者へ/ })
    expect([link.getAttribute('aria-disabled'), link.getAttribute('href')]).toEqual(['true', null])
    expect(screen.getByText('現場メモは電波の届く場所で登録できます')).toBeTruthy()
  })

  test('[spec 2] where no note may be registered it is not there', async () => {
    const { screen } = await openAdd({ requests: [requestOn('1', DAY, { noteLocationAreaStatus: '3' })] })
    await screen.findByLabelText('その他報告内容')
    expect(screen.queryByText('次の担当者へ')).toBeNull()
  })

  test('an edit has none: the exit is over', async () => {
    const { screen } = await openEdit()
    await screen.findByLabelText('その他報告内容')
    expect(screen.queryByText('次の担当者へ')).toBeNull()
  })
})
